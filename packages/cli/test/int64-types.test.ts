import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'

import { client } from '@cloister/client'
import type { Client, ReadIntegers, SocketClass } from '@cloister/client'
import { exactIntegers } from '@cloister/client/integers'
import { childLocation } from '@cloister/schema'
import type { SchemaLocation } from '@cloister/schema'
import { cloister } from 'cloister'
import type { CloisterInstance } from 'cloister'
import { inspectRoutes } from 'cloister/inspect'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { run } from '../src/run.ts'
import { Int64Places } from '../src/types/int64-places.ts'

const { WebSocket }: { readonly WebSocket: SocketClass } = createRequire(import.meta.url)('ws')
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const app = here('./fixtures/int64.mjs')

const BIG = 9007199254740993n

let folder: string
let text: string
let errors: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-int64-'))
  ;({ errors } = await run(['types', '--app', app], folder))
  text = await readFile(path.join(folder, 'api.ts'), 'utf8')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Evaluates the code of a written file: the last statement. */
function settingOf(written: string): ReadIntegers {
  const start = written.indexOf('exactIntegers({')
  expect(start).toBeGreaterThan(0)
  return runInNewContext(written.slice(start), { exactIntegers })
}

describe('cloister types for 64-bit integers', () => {
  it('writes bigints, and where replies have them', () => {
    expect(text).toContain('export interface Api extends ReadsInt64 {')
    expect(text).toContain('body: { id: bigint; kind: 1n | 2n; n: number }')
    expect(text).toContain("node: { id: bigint; next?: Schemas['node'] }")
    expect(text).toContain('ids: (bigint | null)[]; pair: [(string)?, (bigint)?, ...unknown[]]')
    expect(text).toContain('200: { id: number; other: bigint } | { id: number; more: bigint }')
    expect(text).toContain("'GET /chat': { outgoing: 0 },")
    expect(text).not.toContain("'GET /plain': { 200")
  })

  it('names the integers of a union that may be other numbers too', () => {
    expect(errors).toMatch(
      /^cloister: GET \/mixed\/:id \(.*int64\.mjs:\d+\): number in response 200: the integer with format int64 \(#\/anyOf\/0\/properties\/id\) may also be another number there; give both the format, or neither\n$/,
    )
  })

  it('refuses a file without code', async () => {
    const refused = await run(['types', '--app', app, '--out', 'src/api.d.ts'], folder)
    expect(refused).toMatchObject({ code: 3, errors: expect.stringContaining('such as --out src/api.ts') })
  })

  it('writes no table for replies without them, and numbers for an app that reads numbers', async () => {
    const { output } = await run(['types', '--app', here('./fixtures/types.mjs')], folder)
    expect(output).toBe('wrote api.d.ts\n')
    expect(await readFile(path.join(folder, 'api.d.ts'), 'utf8')).not.toMatch(/bigint|Int64/)
  })

  it('compiles with a client that has the setting, and not without it', async () => {
    const uses = `import { client } from '@cloister/client'
import { integers } from './api.ts'
import type { Api } from './api.ts'
const api = client<Api>('http://127.0.0.1:3000', { integers })
const { ok, body } = await api('GET /nodes/:id', { params: { id: 1n } })
if (ok) body.next?.id satisfies bigint | undefined
for await (const { id } of api.ws('GET /chat')) id satisfies bigint
await api('GET /nodes/:id', { params: { id: 1 } })
client<Api>('http://127.0.0.1:3000')
`
    const source = here('../../client/src/index.ts')
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      paths: {
        '@cloister/client': [source],
        '@cloister/client/integers': [here('../../client/src/integers.ts')],
      },
    }
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(path.join(folder, 'uses.ts'), uses)
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['uses.ts'] }),
    )
    const tsc = here('../../../node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    })
    const found = stdout.split('\n').filter((line) => line.includes('error'))
    expect(found).toEqual([
      expect.stringMatching(/uses\.ts\(8,\d+\): .*Type 'number' is not assignable to type 'bigint'/),
      expect.stringMatching(/uses\.ts\(9,\d+\): .*Expected 2 arguments, but got 1/),
    ])
  })
})

describe('a client with the table', () => {
  let fixture: CloisterInstance
  let api: Client<object>
  beforeAll(async () => {
    const { createApp }: { createApp: () => CloisterInstance } = await import(app)
    fixture = createApp()
    api = client(await fixture.listen({ port: 0 }), { integers: settingOf(text), WebSocket })
  })
  afterAll(() => fixture.close())

  it('reads what the types say', async () => {
    expect(await call('GET /nodes/:id', { params: { id: BIG } })).toEqual({
      id: BIG,
      next: { id: 1n, next: { id: BIG } },
    })
    const body = { id: 5n, kind: 2n, n: 7 }
    expect(await call('POST /nodes', { body })).toEqual(body)
    expect(await call('GET /lists')).toEqual({
      ids: [BIG, null, 1n],
      pair: ['x', BIG],
      map: { a: BIG, plain: 'x', b: 2n },
      either: { b: BIG, c: 'c' },
    })
    expect(await call('GET /plain')).toEqual({ n: 5 })
    expect(await call('GET /mixed/:id', { params: { id: '5' } })).toEqual({ id: 5, other: BIG })
    await expect(call('GET /mixed/:id', { params: { id: String(BIG) } })).rejects.toThrow(
      'body/id is 9007199254740993, which is not exactly representable as a number',
    )
  })

  it('reads them in events and messages', async () => {
    const ids: unknown[] = []
    const { body } = await Reflect.apply(api, null, ['GET /events'])
    for await (const { data } of body) ids.push(data.id)
    expect(ids).toEqual([BIG, 1n])
    const socket = Reflect.apply(api.ws, api, ['GET /chat'])
    await socket.send({ id: BIG })
    for await (const one of socket) {
      expect(one).toEqual({ id: BIG })
      break
    }
  })

  async function call(route: string, input: object = {}): Promise<unknown> {
    return (await Reflect.apply(api, null, [route, input])).body
  }
})

/** A schema, and values of it: each leaf with the schema that made it. */
interface Drawn {
  readonly schema: object
  readonly value: (at: SchemaLocation) => unknown
}
interface Leaf {
  readonly value: bigint | number
  readonly at: SchemaLocation
}
const isLeaf = (value: unknown): value is Leaf =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'at')

const integer = (format: object, value: bigint | number): Drawn => ({
  schema: { type: 'integer', ...format },
  value: (at) => ({ value, at }),
})
const { drawn } = fc.letrec<{ drawn: Drawn; leaf: Drawn; object: Drawn; union: Drawn; list: Drawn }>(
  (tie) => ({
    leaf: fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => integer({ format: 'int64' }, n)),
      fc.integer().map((n) => integer({ format: 'int64' }, BigInt(n))),
      fc.integer().map((n) => integer({}, n)),
      fc.constant<Drawn>({ schema: { type: 'string' }, value: () => '9007199254740993' }),
    ),
    object: fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), tie('drawn'), { minKeys: 1, noNullPrototype: true })
      .chain((properties) => fc.boolean().map((isMap) => objectOf(properties, isMap))),
    list: fc.tuple(tie('drawn'), fc.nat(2)).map(([item, count]): Drawn => ({
      schema: { type: 'array', items: item.schema },
      value: (at) => Array.from({ length: count }, () => item.value(childLocation(at, ['items']))),
    })),
    union: fc.array(tie('object'), { minLength: 1, maxLength: 3 }).chain((branches) =>
      fc.nat(branches.length - 1).map((index): Drawn => ({
        schema: { anyOf: branches.map(({ schema }) => schema) },
        value: (at) => branches[index]?.value(childLocation(at, ['anyOf', index])),
      })),
    ),
    drawn: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('leaf'),
      tie('object'),
      tie('list'),
      tie('union'),
    ),
  }),
)

/** An object, or one whose last property is one of those that have no name in the schema. */
function objectOf(properties: Readonly<Record<string, Drawn>>, isMap: boolean): Drawn {
  const all = Object.entries(properties)
  const [last] = isMap ? all.splice(-1) : []
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
      ...(last === undefined ? {} : { additionalProperties: last[1].schema }),
    },
    value: (at) => {
      const named = all.map(([name, one]) => [name, one.value(childLocation(at, ['properties', name]))])
      const more =
        last === undefined ? [] : [['more', last[1].value(childLocation(at, ['additionalProperties']))]]
      return Object.fromEntries([...named, ...more])
    },
  }
}

const textOf = (value: unknown): string => {
  if (isLeaf(value)) return String(value.value)
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`)
    .join()}}`
}

it('a client reads what the types say, or fails, for any schema', async () => {
  const counts = { bigints: 0, numbers: 0, failures: 0 }
  await fc.assert(
    fc.asyncProperty(drawn, async ({ schema, value: draw }) => {
      const server: CloisterInstance = cloister({ integers: 'bigint', exposeHeadRoutes: false })
      server.get(
        '/',
        { schema: { response: { 200: { type: 'object', properties: { x: schema } } } } },
        () => ({}),
      )
      await server.ready()
      const [route] = inspectRoutes(server)
      const response = route?.schema.response?.get('200')?.schema
      if (route === undefined) return expect.unreachable()
      const { scope } = route
      const places = new Int64Places([{ route: 'GET /', key: '200', scope, schemas: [response] }])
      const { routes, places: written } = places.table()
      const rows = Object.fromEntries([...routes].map(([name, row]) => [name, Object.fromEntries(row)]))
      const parse = exactIntegers({ routes: rows, places: written })('GET /', ['200', '2xx'])
      const drawnValue = { x: draw(childLocation(scope.open(response), ['properties', 'x'])) }
      const expected = (one: unknown): unknown => {
        if (!isLeaf(one)) {
          if (Array.isArray(one)) return one.map(expected)
          if (typeof one !== 'object' || one === null) return one
          return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, expected(inner)]))
        }
        const isBigint = places.isBigint(one.at)
        counts[isBigint ? 'bigints' : 'numbers']++
        if (isBigint) return BigInt(one.value)
        if (BigInt(Number(one.value)) !== BigInt(one.value)) throw new RangeError('a number that is rounded')
        return Number(one.value)
      }
      let wanted: unknown
      try {
        wanted = expected(drawnValue)
      } catch {
        counts.failures++
        expect(() => parse(textOf(drawnValue), 'body')).toThrow(/not exactly representable/)
        return
      }
      expect(parse(textOf(drawnValue), 'body')).toEqual(wanted)
    }),
    { numRuns: 200 },
  )
  // Each of the three has been drawn.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(10)
})
