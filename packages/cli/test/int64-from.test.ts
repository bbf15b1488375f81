import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { implement } from '@cloister/openapi'
import { cloister } from 'cloister'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { run } from '../src/run.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const BIG = '9007199254740993'

const orders = `
openapi: 3.0.3
info: { title: Orders, version: 1.0.0 }
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses:
        200: { description: an order, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
  /orders:
    post:
      operationId: addOrder
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses:
        201: { description: added, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
components:
  schemas:
    Order:
      type: object
      required: [id, count]
      properties:
        id: { type: integer, format: int64 }
        count: { type: integer }
        kind: { type: integer, format: int64, enum: [1, 2] }
        next: { $ref: '#/components/schemas/Order' }
`

const program = `import { cloister } from 'cloister'
import { implement } from '@cloister/openapi'
import type { Handlers } from '@cloister/openapi'
import { document } from './api.ts'
import type { Operations } from './api.ts'

const handlers: Handlers<Operations> = {
  getOrder: async ({ params }) => ({ id: params.id satisfies bigint, count: 1 satisfies number, next: { id: 1, count: 2 } }),
  addOrder: async ({ body }, reply) => {
    const kind: 1n | 2n | undefined = body.kind
    return reply.code(201).send({ ...body, id: body.id + 1n, ...(kind === undefined ? {} : { kind }) })
  },
}
export const app = cloister({ strict: true, integers: 'bigint' }).register(implement(document, handlers))
cloister({ strict: true }).register(implement(document, handlers))
`

let folder: string
let texts: readonly string[]
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-int64-from-'))
  await writeFile(path.join(folder, 'openapi.yaml'), orders)
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  texts = await Promise.all(
    (['number', 'bigint'] as const).map(async (rule) => {
      await mkdir(path.join(folder, rule))
      await writeFile(path.join(folder, rule, 'app.ts'), program)
      const out = path.join(rule, 'api.ts')
      const args = ['--out', out, ...(rule === 'bigint' ? ['--integers', rule] : [])]
      expect(await from(...args)).toMatchObject({ code: 0 })
      expect(await from(...args, '--check')).toMatchObject({ code: 0 })
      return (await readFile(path.join(folder, out), 'utf8')).replaceAll(/\s+/g, ' ')
    }),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const from = (...args: string[]): ReturnType<typeof run> =>
  run(['types', '--from', 'openapi.yaml', ...args], folder)

describe('cloister types --from, for 64-bit integers', () => {
  it('writes numbers, or bigints with the option', () => {
    expect(texts[0]).toContain('params: Typed<{ id: number }>')
    expect(texts[0]).toContain("document: TypedDocument<Operations, never, 'number'> =")
    expect(texts[0]).not.toContain('bigint')
    for (const expected of [
      'params: Typed<{ id: bigint }>',
      "Order: { id: bigint; count: number; kind?: 1n | 2n; next?: Parsed['Order'] }",
      "Order: { id: number | bigint; count: number; kind?: 1 | 1n | 2 | 2n | undefined; next?: Inputs['Order'] | undefined }",
      "document: TypedDocument<Operations, never, 'bigint'> =",
    ])
      expect(texts[1]).toContain(expected)
  })

  it('compiles for an app that reads integers so, and for no other', async () => {
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      customConditions: ['@cloister/source'],
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    }
    const files = ['number/app.ts', 'bigint/app.ts']
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    })
    const found = stdout.split('\n').filter((line) => line.includes('error TS'))
    expect(found.toSorted()).toEqual([
      expect.stringMatching(/bigint\/app\.ts\(15,.*'ImplementedPlugin<.*, "bigint">' is not assignable/),
      expect.stringMatching(/number\/app\.ts\(10,.*'1 \| 2 \| undefined' is not assignable to type '[12]n/),
      expect.stringMatching(/number\/app\.ts\(11,/),
      expect.stringMatching(/number\/app\.ts\(11,.*'\+' cannot be applied to types 'number' and '1n'/),
      expect.stringMatching(/number\/app\.ts\(14,.*'ImplementedPlugin<.*, "number">' is not assignable/),
      expect.stringMatching(/number\/app\.ts\(8,.*'number' does not satisfy the expected type 'bigint'/),
    ])
  })

  it('says what handlers get and send on a connection', async () => {
    const document: Record<string, unknown> = JSON.parse(texts[1]?.split('> = ')[1] ?? '')
    const seen: unknown[] = []
    const app = cloister({ strict: true, integers: 'bigint' }).register(
      implement(document, {
        getOrder: async ({ params }) => {
          seen.push(params)
          return { id: Object(params).id, count: 1, next: { id: 1, count: 2 } }
        },
        addOrder: async ({ body }, reply) => {
          seen.push(body)
          return reply.code(201).send(body)
        },
      }),
    )
    try {
      const address = await app.listen({ port: 0 })
      const read = await fetch(`${address}/orders/${BIG}`)
      expect(await read.text()).toBe(`{"id":${BIG},"count":1,"next":{"id":1,"count":2}}`)
      const body = `{"id":${BIG},"count":1,"kind":2}`
      const headers = { 'content-type': 'application/json' }
      const added = await fetch(`${address}/orders`, { method: 'POST', headers, body })
      expect(await added.text()).toBe(body)
      expect(seen).toEqual([{ id: BigInt(BIG) }, { id: BigInt(BIG), count: 1, kind: 2n }])
    } finally {
      await app.close()
    }
  })

  it('refuses the option for the types of an app, which has the rule itself', async () => {
    expect(await run(['types', '--integers', 'bigint'], folder)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--integers belongs to --from'),
    })
    expect(await from('--integers', 'int64')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Allowed choices are number, exact, bigint'),
    })
  })
})
