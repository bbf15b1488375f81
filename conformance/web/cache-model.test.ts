// A model of clients behind a shared cache (RFC 9111), with drawn codings, against apps with drawn options: no client gets
// a coding that it did not accept or an old content, and a strong entity tag names the same bytes for ever.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { App, InjectedResponse, Reply, Request } from '../harness/app-shape.ts'
import { useApps } from '../harness/transports.ts'
import { namesIn, SharedCache } from './shared-cache.ts'
import { register } from './web-app.ts'

/** `CLOISTER_WEB_CASES=100000` draws as many fetches. */
const CASES = Number(process.env['CLOISTER_WEB_CASES'] ?? 3000)
/** Fetches behind one cache. */
const FETCHES = 20

const PATHS = ['/hashed', '/tagged', '/weak', '/versioned', '/stream', '/ranges', '/image'] as const

const options = fc.record({
  compress: fc.option(
    fc.record({
      codings: fc.subarray(['br', 'gzip'], { minLength: 1 }),
      above: fc.constantFrom(0, 100, 100_000),
      crossSite: fc.boolean(),
    }),
    { nil: false },
  ),
  conditional: fc.constantFrom(true, 'weak' as const, false),
})

const weighted = fc
  .tuple(
    fc.constantFrom('gzip', 'br', 'x-gzip', 'GZIP', 'zstd', 'identity', '*'),
    fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', '; Q=0.9', ';q=0.000'),
  )
  .map((parts) => parts.join(''))

interface Fetched {
  readonly path: (typeof PATHS)[number]
  readonly method: 'GET' | 'HEAD'
  readonly accept: string | undefined
  readonly site: string | undefined
  readonly hasCookie: boolean
  readonly range: readonly [first: number, last: number] | undefined
  /** whether the content changes before */
  readonly changes: boolean
  /** whether the cache validates what it has stored */
  readonly validates: boolean
}

const fetched: fc.Arbitrary<Fetched> = fc.record({
  path: fc.constantFrom(...PATHS),
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
  accept: fc.option(
    fc.uniqueArray(weighted, { maxLength: 4 }).map((items) => items.join(', ')),
    { nil: undefined },
  ),
  site: fc.constantFrom(undefined, 'same-origin', 'same-site', 'cross-site', 'none'),
  hasCookie: fc.boolean(),
  range: fc.option(fc.tuple(fc.nat(50), fc.integer({ min: 50, max: 99 })), { nil: undefined }),
  changes: fc.boolean(),
  validates: fc.boolean(),
})

/** The content of a version: its first bytes differ from those of others. */
const contentOf = (version: number): string => `${version}: ${'a book about books '.repeat(20)}`

/** Whether a client takes content in a coding (RFC 9110 section 12.5.3); everything can be sent without one. */
function accepts(field: string | undefined, coding: string): boolean {
  if (coding === 'identity') return true
  const weights = (field ?? '').split(',').map((item) => {
    const [name = '', weight = ''] = item.toLowerCase().replaceAll(' ', '').split(';q=')
    return [name === 'x-gzip' ? 'gzip' : name, weight === '' ? 1 : Number(weight)] as const
  })
  const named = weights.findLast(([name]) => name === coding) ?? weights.findLast(([name]) => name === '*')
  return named !== undefined && named[1] > 0
}

const codingOf = ({ headers }: InjectedResponse): string => String(headers['content-encoding'] ?? 'identity')

function decoded(response: InjectedResponse): string {
  const coding = codingOf(response)
  const bytes = response.rawPayload
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

const createApp = useApps()

interface Origin {
  readonly app: App
  version: number
}

async function start(given: object): Promise<Origin> {
  const app = createApp({})
  await register(app, given)
  const origin: Origin = { app, version: 0 }
  const content = (): string => contentOf(origin.version)
  const tagged = (reply: Reply, tag: string): Reply => reply.type('text/plain').header('etag', tag)
  app.get('/hashed', () => content())
  app.get('/tagged', (_request, reply) => tagged(reply, `"${origin.version}"`).send(content()))
  app.get('/weak', (_request, reply) => tagged(reply, `W/"${origin.version}"`).send(content()))
  app.get('/versioned', { config: { web: { version: () => String(origin.version) } } }, () => content())
  app.get('/stream', (_request, reply) =>
    tagged(reply, `"${origin.version}"`).send(Readable.from([content()])),
  )
  app.get('/image', (_request, reply) => reply.type('image/png').send(Buffer.from(content())))
  app.get('/ranges', (request: Request, reply: Reply) => {
    const tag = `"${origin.version}"`
    const [first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers['range']))?.slice(1) ?? []
    tagged(reply, tag)
    const condition = request.headers['if-range']
    if (last === undefined || (condition !== undefined && condition !== tag)) return reply.send(content())
    const part = content().slice(Number(first), Number(last) + 1)
    return reply.code(206).header('content-range', `bytes ${first}-${last}/${content().length}`).send(part)
  })
  await app.ready()
  return origin
}

/** Holds responses to their tags: bytes that a strong tag names never change. */
class Tags {
  readonly #bytes = new Map<string, Buffer>()

  check(path: string, response: InjectedResponse, [first, last]: readonly [number, number]): void {
    const tag = String(response.headers['etag'] ?? 'W/')
    if (tag.startsWith('W/')) return
    const key = `${path} ${tag}`
    if (response.statusCode === 200) {
      const known = this.#bytes.get(key)
      if (known !== undefined) expect(response.rawPayload.equals(known)).toBe(true)
      this.#bytes.set(key, response.rawPayload)
    }
    // A client puts a part into the whole that has its tag (RFC 9110 section 15.3.7.3).
    const whole = this.#bytes.get(key)
    if (response.statusCode === 206 && whole !== undefined)
      expect(response.rawPayload.toString()).toBe(whole.subarray(first, last + 1).toString())
  }
}

/** Fetches through the cache, and holds what comes to what the client and the options say. */
async function browse(
  origin: Origin,
  guardsSecrets: boolean,
  cache: SharedCache,
  tags: Tags,
  asked: Fetched,
): Promise<void> {
  const { path, method, accept, site, hasCookie, range, validates } = asked
  const sent = {
    ...(accept === undefined ? {} : { 'accept-encoding': accept }),
    ...(site === undefined ? {} : { 'sec-fetch-site': site }),
    ...(hasCookie ? { cookie: 'sid=1' } : {}),
  }
  const stored = cache.find(path, sent)
  const parts = range === undefined ? {} : { range: `bytes=${range.join('-')}` }
  if (stored !== undefined && !validates) {
    expect(accepts(accept, codingOf(stored))).toBe(true)
    if (range === undefined) return
    Object.assign(parts, { 'if-range': String(stored.headers['etag'] ?? '"none"') })
  }
  const known = range === undefined && method === 'GET' ? cache.tagsOf(path) : []
  const conditions = known.length === 0 ? {} : { 'if-none-match': known.join(', ') }
  const headers = { ...sent, ...parts, ...conditions }
  const response = await origin.app.inject({ method, url: path, headers })
  if (response.statusCode === 304) {
    const selected = cache.selectedBy(path, response)
    expect(selected).toBeDefined()
    if (selected === undefined) return
    expect(accepts(accept, codingOf(selected))).toBe(true)
    expect(namesIn(response.headers['vary'])).toEqual(
      expect.arrayContaining(namesIn(selected.headers['vary'])),
    )
    expect(decoded(selected)).toBe(contentOf(origin.version))
    return
  }
  expect(accepts(accept, codingOf(response))).toBe(true)
  const isForeign = hasCookie && (site === 'cross-site' || site === 'same-site')
  if (isForeign && guardsSecrets) expect(codingOf(response)).toBe('identity')
  if (method === 'HEAD') {
    const { headers: whole } = await origin.app.inject({ url: path, headers })
    for (const name of ['etag', 'vary', 'content-encoding', 'content-type', 'content-length'])
      expect([name, response.headers[name]]).toEqual([name, whole[name]])
    return
  }
  const [first, last] = range ?? [0, 0]
  expect(response.statusCode === 206 ? response.payload : decoded(response)).toBe(
    response.statusCode === 206
      ? contentOf(origin.version).slice(first, last + 1)
      : contentOf(origin.version),
  )
  tags.check(path, response, [first, last])
  cache.keep(path, sent, response)
}

describe('clients in the model of a shared cache', () => {
  it('get the current content, in a coding that they accept, and parts of the same bytes', async () => {
    const origins = new Map<string, Promise<Origin>>()
    await fc.assert(
      fc.asyncProperty(
        options,
        fc.array(fetched, { minLength: FETCHES, maxLength: FETCHES }),
        async (given, asks) => {
          const key = JSON.stringify(given)
          const starting = origins.get(key) ?? start(given)
          origins.set(key, starting)
          const origin = await starting
          const guardsSecrets = Object(given.compress).crossSite !== true
          const [cache, tags] = [new SharedCache(), new Tags()]
          for (const asked of asks) {
            if (asked.changes) origin.version += 1
            await browse(origin, guardsSecrets, cache, tags, asked)
          }
        },
      ),
      { numRuns: CASES / FETCHES },
    )
  }, 3_600_000)
})
