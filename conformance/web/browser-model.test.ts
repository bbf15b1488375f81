// A model of a browser (Fetch 3.3, RFC 6265bis) and of a shared cache (RFC 9111), against apps with drawn options: a page
// reads a response exactly if the options say so, and a cookie is kept exactly if no error refused it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { App, InjectedResponse } from '../harness/app-shape.ts'
import { useApps } from '../harness/transports.ts'
import { SharedCache } from './shared-cache.ts'
import { callReply, register } from './web-app.ts'

/** `CLOISTER_WEB_CASES=100000` draws as many fetches and cookies. */
const CASES = Number(process.env['CLOISTER_WEB_CASES'] ?? 3000)
/** Fetches of one app. */
const FETCHES = 10

const SITES = [
  'https://shop.example',
  'https://a.shop.example',
  'https://a.b.shop.example',
  'http://shop.example',
  'https://shop.example.evil.test',
  'https://evilshop.example',
  'null',
]
const LISTED = ['https://shop.example', 'https://*.shop.example', 'http://shop.example']
const HEADERS = ['x-one', 'x-two']

interface Options {
  readonly origins: readonly string[]
  readonly credentials: boolean
  readonly anyOrigin: boolean
  readonly methods: 'routes' | readonly string[]
  readonly headers: 'requested' | readonly string[]
}

interface Fetched {
  readonly origin: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: '/notes' | '/nowhere'
  readonly headers: readonly string[]
  readonly credentials: boolean
}

const options: fc.Arbitrary<Options> = fc
  .record({
    origins: fc.subarray(LISTED, { minLength: 1 }),
    credentials: fc.boolean(),
    anyOrigin: fc.boolean(),
    methods: fc.oneof(fc.constant('routes' as const), fc.subarray(['GET', 'PUT', 'DELETE'])),
    headers: fc.oneof(fc.constant('requested' as const), fc.subarray(HEADERS)),
  })
  .map((given) => ({ ...given, credentials: given.credentials && !given.anyOrigin }))

const fetched: fc.Arbitrary<Fetched> = fc.record({
  origin: fc.constantFrom(...SITES),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: fc.constantFrom('/notes', '/notes', '/notes', '/nowhere'),
  headers: fc.subarray(HEADERS),
  credentials: fc.boolean(),
})

/** Methods of the path `/notes`; DELETE has none. */
const ROUTES = ['GET', 'POST', 'PUT']
const SIMPLE = ['GET', 'HEAD', 'POST']

/** Whether the options let a page of an origin read responses. */
function admits({ origins, anyOrigin }: Options, origin: string): boolean {
  if (anyOrigin) return true
  return origins.some((one) =>
    one.includes('*')
      ? /^https:\/\/(?:[a-z]+\.)+shop\.example$/.test(origin) && one === 'https://*.shop.example'
      : one === origin,
  )
}

/** Whether a page reads the response, by the options alone. */
function mayRead(given: Options, { origin, method, path, headers, credentials }: Fetched): boolean {
  if (!admits(given, origin) || (credentials && !given.credentials)) return false
  if (SIMPLE.includes(method) && headers.length === 0) return true
  const routes = path === '/notes' ? ROUTES : []
  const methods = given.methods === 'routes' ? routes : given.methods
  const names = given.headers === 'requested' ? HEADERS : given.headers
  // There is no preflight for a path without routes: its response is a 404, which is no success.
  if (routes.length === 0) return false
  return (
    (SIMPLE.includes(method) || methods.includes(method)) && headers.every((name) => names.includes(name))
  )
}

const listIn = (value: unknown): string[] =>
  String(value ?? '')
    .split(',')
    .map((one) => one.trim())

/** The check of a response (Fetch 4.10). */
function passes({ headers }: InjectedResponse, { origin, credentials }: Fetched): boolean {
  const allowed = headers['access-control-allow-origin']
  if (!credentials && allowed === '*') return true
  if (allowed !== origin) return false
  return !credentials || headers['access-control-allow-credentials'] === 'true'
}

/** Sends what a browser sends for a page, and returns whether the page reads the response. */
async function browse(app: App, cache: SharedCache, asked: Fetched): Promise<boolean> {
  const { origin, method, path: url, headers: names } = asked
  const needsPreflight = !SIMPLE.includes(method) || names.length > 0
  if (needsPreflight) {
    const headers = {
      origin,
      'access-control-request-method': method,
      ...(names.length === 0 ? {} : { 'access-control-request-headers': names.join(',') }),
    }
    const preflight = await app.inject({ method: 'OPTIONS', url, headers })
    const isOk = preflight.statusCode >= 200 && preflight.statusCode < 300
    if (!isOk || !passes(preflight, asked)) return false
    const methods = listIn(preflight.headers['access-control-allow-methods'])
    const allowed = listIn(preflight.headers['access-control-allow-headers']).map((one) => one.toLowerCase())
    if (!SIMPLE.includes(method) && !methods.includes(method)) return false
    if (!names.every((name) => allowed.includes(name))) return false
  }
  const sent = Object.fromEntries(names.map((name) => [name, '1']))
  const headers = { origin, 'sec-fetch-site': 'cross-site', ...sent }
  const cached = method === 'GET' ? cache.find(url, headers) : undefined
  const response = cached ?? (await app.inject({ method, url, headers }))
  if (method === 'GET') cache.keep(url, headers, response)
  return passes(response, asked)
}

const createApp = useApps()

describe('pages in the model of a browser, behind a shared cache', () => {
  it('read responses exactly if the options say so, and change nothing otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(
        options,
        fc.array(fetched, { minLength: FETCHES, maxLength: FETCHES }),
        async (given, asks) => {
          const changes: unknown[] = []
          const app = createApp({})
          await register(app, {
            origins: given.anyOrigin ? [] : given.origins,
            cors: {
              credentials: given.credentials,
              methods: given.methods,
              headers: given.headers,
              ...(given.anyOrigin ? { origin: '*' } : {}),
            },
          })
          app.get('/notes', () => 'notes')
          for (const method of ['post', 'put'] as const)
            app[method]('/notes', (request) => {
              changes.push(request.headers['origin'])
              return 'changed'
            })
          await app.ready()
          const cache = new SharedCache()
          for (const asked of asks) {
            const before = changes.length
            expect([asked, await browse(app, cache, asked)]).toEqual([asked, mayRead(given, asked)])
            // Only origins that are listed change something: that all may read is no leave to write.
            const isTrusted = !given.anyOrigin && admits(given, asked.origin)
            if (!isTrusted) expect(changes.length).toBe(before)
          }
          await app.close()
        },
      ),
      { numRuns: CASES / FETCHES },
    )
  }, 3_600_000)
})

const HOST = 'shop.example'

const cookie = fc.record({
  name: fc.constantFrom(
    'sid',
    '__Host-sid',
    '__Secure-sid',
    '__host-sid',
    '__SECURE-sid',
    '__Http-sid',
    'a b',
    '',
  ),
  value: fc.string({ maxLength: 20 }),
  options: fc.record(
    {
      domain: fc.constantFrom(HOST, `.${HOST}`),
      path: fc.constantFrom('/', '/notes'),
      secure: fc.boolean(),
      httpOnly: fc.boolean(),
      sameSite: fc.constantFrom('strict', 'lax', 'none'),
      partitioned: fc.boolean(),
      maxAge: fc.integer({ min: 1, max: 1000 }),
    },
    { requiredKeys: [] },
  ),
})

/** Returns the pair that a browser sends back for a field `Set-Cookie`; `null` if it keeps none (RFC 6265bis 5.7). */
function kept(field: string): string | null {
  const [pair = '', ...rest] = field.split('; ')
  const attributes = new Map(rest.map((one) => [one.split('=')[0]?.toLowerCase(), one.split('=')[1]]))
  const name = pair.slice(0, pair.indexOf('=')).toLowerCase()
  const [isSecure, path] = [attributes.has('secure'), attributes.get('path')]
  if (name.startsWith('__secure-') && !isSecure) return null
  if (name.startsWith('__host-') && (!isSecure || path !== '/' || attributes.has('domain'))) return null
  if (name.startsWith('__http-') && (!isSecure || !attributes.has('httponly'))) return null
  if (attributes.get('samesite') === 'None' && !isSecure) return null
  return attributes.has('partitioned') && !isSecure ? null : pair
}

/** Whether a browser would keep a cookie, by what the app asks for. */
function isKept({ name, options: given }: { readonly name: string; readonly options: object }): boolean {
  const {
    secure = true,
    httpOnly = true,
    path = '/',
    sameSite,
    partitioned,
    domain,
  } = { ...given } as Record<string, unknown>
  const lower = name.toLowerCase()
  if (name === '' || name.includes(' ')) return false
  const needs = /^__(?:host|secure|http)-/.test(lower) || sameSite === 'none' || partitioned === true
  if (needs && secure !== true) return false
  if (lower.startsWith('__http-') && httpOnly !== true) return false
  return !lower.startsWith('__host-') || (path === '/' && domain === undefined)
}

describe('cookies in the model of a browser', () => {
  it('are kept and come back as they were set, or their call is an error', async () => {
    const app = createApp({})
    await register(app)
    let current: { name: string; value: string; options: object } = { name: '', value: '', options: {} }
    app.get('/set', (_request, reply) => {
      callReply(reply, 'setCookie', current.name, current.value, current.options)
      return reply.send('set')
    })
    await app.ready()
    await fc.assert(
      fc.asyncProperty(cookie, async (drawn) => {
        current = drawn
        const { statusCode, headers } = await app.inject('/set')
        expect(statusCode).toBe(isKept(drawn) ? 200 : 500)
        const fields = [headers['set-cookie'] ?? []].flat()
        expect(fields.length).toBe(isKept(drawn) ? 1 : 0)
        for (const field of fields) {
          const pair = kept(String(field))
          expect(pair?.split('=')[0]).toBe(drawn.name)
          expect(decodeURIComponent(pair?.slice(pair.indexOf('=') + 1) ?? '')).toBe(drawn.value)
        }
      }),
      { numRuns: CASES },
    )
    await app.close()
  }, 3_600_000)
})
