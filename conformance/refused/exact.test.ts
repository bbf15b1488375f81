// Over every wire and any schema: what a handler sees is what an exact reader reads from the bytes, after what the schema
// asks for, or the request is refused with a code. The same for responses.
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import type { App } from '../harness/app-shape.ts'
import { isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { register } from '../mcp/tool-app.ts'
import { connect, useSocketApps } from '../sockets/client.ts'
import { difference, type Schema } from './agree.ts'
import { drawJson, drawNumber, drawObject, drawText, escapeBytes, withInt64 } from './draw.ts'
import { Decimal, Members, readEscapes, readJson, readUtf8, type Exact } from './exact-reader.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const CASES = Number(process.env['CLOISTER_EXACT'] ?? 10_000)
/** Cases for each app. */
const PER_APP = 500

const FLAT = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, n: { type: 'number' } },
} as const
const NAMES = ['id', 'name', 'n'] as const
/** The same, with an integer of 64 bits. */
const FLAT_INT64 = {
  ...FLAT,
  properties: { ...FLAT.properties, id: { type: 'integer', format: 'int64' } },
} as const

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A request, and what an exact reader reads from it: the values that a handler may see, in order. */
interface Case {
  readonly wire: string
  readonly request: { method: string; url: string; headers?: Record<string, string>; payload?: Buffer }
  readonly schema: Schema
  readonly read: () => readonly Exact[]
}

const JSON_TYPE = 'application/json'

function post(url: string, type: string, text: string): Case['request'] {
  return { method: 'POST', url, headers: { 'content-type': type }, payload: latin1(text) }
}

/** Reads texts by their schema; a name that comes twice stays twice. */
function readTexts(pairs: readonly (readonly [string, string])[], decode: (text: string) => string): Members {
  const members = new Members()
  for (const [given, raw] of pairs) {
    const name = decode(given)
    const text = decode(raw)
    members.list.push([name, name === 'id' || name === 'n' ? new Decimal(text.trim()) : text])
  }
  return members
}

function drawPairs(random: Random): [string, string][] {
  const names = NAMES.filter(() => random.chance(0.7))
  if (random.chance(0.03)) names.push(random.pick(NAMES))
  return names.map((name) => [name, drawText(random, FLAT.properties[name])])
}

type Wire = (random: Random, schema: Schema) => Omit<Case, 'wire'>

const ofForm = (random: Random, url: (text: string) => Case['request']): Omit<Case, 'wire'> => {
  const pairs = drawPairs(random).map(([name, text]): [string, string] => [name, escapeBytes(random, text)])
  const request = url(pairs.map(([name, text]) => `${name}=${text}`).join('&'))
  return { request, schema: FLAT, read: () => [readTexts(pairs, (text) => readEscapes(text, true))] }
}

const WIRES: Readonly<Record<string, Wire>> = {
  JSON: (random, schema) => {
    const text = drawJson(random, schema)
    return { request: post('/json', JSON_TYPE, text), schema, read: () => [readJson(latin1(text))] }
  },
  fetch: (random, schema) => {
    const text = drawJson(random, schema)
    return { request: post('/json', JSON_TYPE, text), schema, read: () => [readJson(latin1(text))] }
  },
  lines: (random, schema) => {
    // A line end within a document would begin another item.
    const lines = Array.from({ length: 1 + random.below(3) }, () =>
      drawJson(random, schema).replaceAll('\n', ' '),
    )
    const request = post('/lines', 'application/x-ndjson', lines.join('\n'))
    return { request, schema, read: () => lines.map((line) => readJson(latin1(line))) }
  },
  tool: (random, schema) => {
    const text = drawJson(random, schema)
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool","arguments":{"body":${text}}}}`
    const request = post('/mcp', JSON_TYPE, call)
    const headers = { ...request.headers, accept: 'application/json, text/event-stream' }
    return { request: { ...request, headers }, schema, read: () => [readJson(latin1(text))] }
  },
  query: (random) => ofForm(random, (text) => ({ method: 'GET', url: `/query?${text}` })),
  form: (random) => ofForm(random, (text) => post('/form', 'application/x-www-form-urlencoded', text)),
  path: (random) => {
    const id = escapeBytes(random, drawText(random, FLAT.properties.id))
    const name = escapeBytes(random, drawText(random, FLAT.properties.name))
    const pairs = [['id', id] as const, ['name', name] as const]
    const request = { method: 'GET', url: `/path/${id}/${name}` }
    return { request, schema: FLAT, read: () => [readTexts(pairs, (text) => readEscapes(text, false))] }
  },
  header: (random) => {
    const id = drawNumber(random, 'integer')
    const n = drawNumber(random, 'number')
    const pairs = [['id', id] as const, ['n', n] as const]
    const request = { method: 'GET', url: '/header', headers: { id, n } }
    return { request, schema: FLAT, read: () => [readTexts(pairs, (text) => text)] }
  },
  multipart: (random) => {
    const pairs = drawPairs(random)
    const parts = pairs.map(
      ([name, text]) => `--b0und\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    )
    const request = post(
      '/multipart',
      'multipart/form-data; boundary=b0und',
      `${parts.join('')}--b0und--\r\n`,
    )
    return { request, schema: FLAT, read: () => [readTexts(pairs, (text) => readUtf8(latin1(text)))] }
  },
}

/** How often a wire is drawn: the quick ones more often. */
const WEIGHTS: Readonly<Record<string, number>> = { JSON: 12, lines: 2, tool: 1, multipart: 2, fetch: 3 }
const DRAWN_WIRES = Object.keys(WIRES).flatMap((wire) =>
  Array.from({ length: WEIGHTS[wire] ?? 6 }, () => wire),
)

/** Adds a route for each wire; returns the list of what the handlers see. */
async function addRoutes(app: App, schema: Schema, flat: Schema): Promise<unknown[]> {
  const seen: unknown[] = []
  const see = (value: unknown): object => {
    seen.push(value)
    return {}
  }
  const body = (type: string, one: Schema): Record<string, unknown> => ({
    body: { content: { [type]: { schema: one } } },
  })
  await register(app)
  app.post('/json', { schema: { body: schema }, mcp: { name: 'tool' } }, (request) => see(request.body))
  app.post('/lines', { schema: body('application/x-ndjson', schema) }, async (request) => {
    for await (const item of request.body as AsyncIterable<unknown>) see(item)
    return {}
  })
  app.get('/query', { schema: { querystring: flat } }, (request) => see(request.query))
  app.post('/form', { schema: body('application/x-www-form-urlencoded', flat) }, ({ body: form }) =>
    see(form),
  )
  app.post('/multipart', { schema: body('multipart/form-data', flat) }, (request) => see(request.body))
  app.get('/path/:id/:name', { schema: { params: flat } }, (request) => see(request.params))
  app.get('/header', { schema: { headers: flat } }, ({ headers }) =>
    see({ id: headers['id'], n: headers['n'] }),
  )
  return seen
}

async function fetchFrom(app: App, { request }: Case): Promise<{ statusCode: number; payload: string }> {
  const { method, url, headers = {}, payload = Buffer.alloc(0) } = request
  const response = await app.fetch(
    new Request(`http://x${url}`, { method, headers, body: Uint8Array.from(payload) }),
  )
  return { statusCode: response.status, payload: await response.text() }
}

/** Plays a case; returns what is wrong. */
async function play(app: App, seen: unknown[], given: Case): Promise<string | null> {
  seen.length = 0
  const { statusCode, payload } =
    given.wire === 'fetch' ? await fetchFrom(app, given) : await app.inject({ ...given.request })
  let sent: readonly Exact[] | null = null
  try {
    sent = given.read()
  } catch (error) {
    // A line is read after the handler has taken those before it.
    if (seen.length > 0 && given.wire !== 'lines') return `the handler saw ${inspect(seen)}: ${String(error)}`
    if (given.wire === 'lines') return statusCode < 300 ? `accepted: ${String(error)}` : null
  }
  for (const [index, value] of seen.entries()) {
    const found = sent === null ? null : difference(value, sent[index] ?? null, given.schema)
    if (found !== null) return found
  }
  if (seen.length > 0 && (statusCode < 300 || given.wire === 'lines')) return null
  const isCoded = /"code":"CLO_ERR_|status 400|"isError":true|"error":\{/.test(payload)
  return isCoded ? null : `${statusCode} without a code: ${payload.slice(0, 200)}`
}

interface Played {
  readonly findings: string[]
  readonly accepted: Map<string, number>
  readonly refused: Map<string, number>
  /** the wires over which handlers saw integers that are no safe ones */
  readonly large: Set<string>
}

/** Whether a value has an integer that no number is certain to represent. */
function hasLarge(value: unknown): boolean {
  if (typeof value === 'bigint') return !Number.isSafeInteger(Number(value))
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLarge)
}

/** @param hasInt64 - whether schemas have integers of 64 bits */
async function playAll(create: () => App, cases: number, hasInt64: boolean = false): Promise<Played> {
  const random = new Random(SEED)
  const played: Played = { findings: [], accepted: new Map(), refused: new Map(), large: new Set() }
  const flat = hasInt64 ? FLAT_INT64 : FLAT
  for (let left = cases; left > 0 && played.findings.length < 3; left -= PER_APP) {
    const app = create()
    const drawnSchema = drawObject(random, 2)
    const schema = hasInt64 ? withInt64(random, drawnSchema) : drawnSchema
    const seen = await addRoutes(app, schema, flat)
    for (let index = 0; index < Math.min(left, PER_APP); index++) {
      const wire = random.pick(DRAWN_WIRES)
      const made = WIRES[wire]?.(random, schema)
      if (made === undefined) continue
      const drawn = { ...made, schema: made.schema === FLAT ? flat : made.schema }
      const found = await play(app, seen, { wire, ...drawn })
      if (hasLarge(seen)) played.large.add(wire)
      const counts = seen.length > 0 ? played.accepted : played.refused
      counts.set(wire, (counts.get(wire) ?? 0) + 1)
      if (found !== null) played.findings.push(describeCase(wire, drawn, found))
    }
    await app.close()
  }
  return played
}

function describeCase(wire: string, { request, schema }: Omit<Case, 'wire'>, found: string): string {
  const { url, payload = Buffer.alloc(0), headers } = request
  const sent = JSON.stringify([url, payload.toString('latin1'), headers])
  return `CLOISTER_SEED=${SEED}: ${wire}: ${found}\n${sent}\n${JSON.stringify(schema)}`
}

describe.skipIf(isPeer)('what a handler sees', () => {
  const createApp = useApps()
  const createSockets = useSocketApps()

  it(`is what was sent, or the request is refused, in ${CASES} random requests`, async () => {
    const { findings, accepted, refused } = await playAll(() => createApp({ strict: true }), CASES)
    expect(findings).toEqual([])
    for (const wire of Object.keys(WIRES)) {
      const counts = [accepted.get(wire) ?? 0, refused.get(wire) ?? 0]
      // Both happen often over each wire.
      expect([wire, ...counts.map((count) => count > CASES / 1000)]).toEqual([wire, true, true])
    }
  }, 3_600_000)

  it(`is what was sent with integers of 64 bits, in ${CASES} random requests`, async () => {
    const create = (): App => createApp({ strict: true, integers: 'bigint' })
    const { findings, large } = await playAll(create, CASES, true)
    expect(findings).toEqual([])
    expect([...large].toSorted()).toEqual(Object.keys(WIRES).toSorted())
  }, 3_600_000)

  it('of a WebSocket is what was sent, or the socket is closed', async () => {
    const random = new Random(SEED)
    const schema = drawObject(random, 2)
    const seen: unknown[] = []
    const { app } = await createSockets({ strict: true })
    const incoming: Record<string, unknown> = { ...schema }
    app.ws('/', { schema: { incoming } }, async (socket) => {
      for await (const message of socket) {
        seen.push(message)
        await socket.send({ done: true })
      }
    })
    const origin = await app.listen({ port: 0 })
    let closed = 0
    for (let left = CASES / 100; left > 0; left--) {
      const text = drawJson(random, schema)
      const client = await connect(origin, '/')
      client.socket.send(latin1(text).toString())
      const end = await Promise.race([client.next().then(() => ''), client.closed])
      if (end !== '') closed += 1
      else
        expect([
          text,
          difference(seen.at(-1), readJson(Buffer.from(latin1(text).toString())), schema),
        ]).toEqual([text, null])
      client.socket.close()
    }
    expect([seen.length > 5, closed > 5]).toEqual([true, true])
  }, 600_000)

  it.each([
    ['integers', 'number', / for .*e/],
    ['bodyText', 'replace', /UTF-8|cut|surrogate|no escape/],
    ['duplicateNames', 'last', /sent twice/],
  ])(
    'is another value with %s: %j, which the exact reader reports',
    async (option, value, words) => {
      const { findings } = await playAll(() => createApp({ strict: true, [option]: value }), 5000)
      expect(findings.join('\n')).toMatch(words)
    },
    60_000,
  )
})

describe.skipIf(isPeer)('what a client reads', () => {
  const createApp = useApps()
  const VALUES: readonly unknown[] = [
    0,
    -0,
    7,
    2 ** 53,
    2 ** 53 - 1,
    1e21,
    -1.5,
    5e-324,
    1e300,
    Number.NaN,
    Infinity,
    9007199254740993n,
    'x',
    'é😀',
    '\ud800',
    '"\\\u0000',
    true,
    null,
    undefined,
  ]

  it('is what the handler has returned, or a 500', async () => {
    for (const type of ['integer', 'number', 'string', 'boolean'] as const) {
      for (const value of VALUES) {
        const app = createApp({ strict: true })
        const schema = { type: 'object', properties: { a: { type } }, required: ['a'] }
        app.get('/', { schema: { response: { 200: schema } } }, () => ({ a: value }))
        const { statusCode, rawPayload } = await app.inject('/')
        await app.close()
        if (typeof value === type && value !== '\ud800')
          expect([value, statusCode]).toEqual([
            value,
            isFinite(Number(value)) || type === 'string' ? 200 : 500,
          ])
        const sent = statusCode === 200 ? readJson(rawPayload) : null
        const member = sent instanceof Members ? sent.list[0]?.[1] : undefined
        expect([type, value, statusCode, isReturned(value, member, statusCode)]).toEqual([
          type,
          value,
          statusCode,
          true,
        ])
      }
    }
  })

  function isReturned(value: unknown, member: Exact | undefined, status: number): boolean {
    if (status === 500) return true
    if (!(member instanceof Decimal)) return member === value
    const [above, below] = member.fraction
    if (typeof value === 'bigint') return value * below === above
    return difference(value, member, { type: 'number' }) === null
  }
})
