// Who gets the page, as properties over generated connections and header fields.
import { cloister } from 'cloister'
import type { Cloister } from 'cloister'
import type { onSendAsyncHookHandler } from 'cloister/types'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explorer } from '../src/index.ts'

const PATHS = ['', '/app.json', '/route.json', '/traces/one']

/** Values that are as a browser on this machine sends them, by field. */
const HOSTS = [
  'localhost',
  'LOCALHOST:3000',
  'api.localhost:80',
  '127.0.0.1',
  '127.1.2.3:8080',
  '[::1]',
  '[::1]:3000',
]
const ADDRESSES = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']

const FOREIGN_HOSTS = [
  'evil.com',
  'localhost.evil.com',
  'evil.com:3000',
  'localhost:3000.evil.com',
  'xlocalhost',
  '127.0.0.1.evil.com',
  '10.0.0.7',
  '[::2]',
  '[::1].evil.com',
  '0.0.0.0',
]
const FOREIGN_ADDRESSES = [
  '10.0.0.7',
  '192.168.1.1',
  '8.8.8.8',
  '::2',
  '::ffff:10.0.0.7',
  '1127.0.0.1',
  'fe80::1',
]
const SITES = ['cross-site', 'same-site', 'same-origin, cross-site', 'Same-Origin', '', 'other']

/** What proxies, balancers, networks of delivery and tunnels add, and how some of them spell it. */
const PROXY_FIELDS = [
  'Via',
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
  'X-Forwarded',
  'X-Original-Forwarded-For',
  'Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'Client-IP',
  'X-ClientIP',
  'X-Cluster-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'CF-Ray',
  'CF-Visitor',
  'CDN-Loop',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'Fly-Forwarded-Port',
  'X-Remote-IP',
  'X-Remote-Addr',
  'X-Originating-IP',
  'X-ProxyUser-Ip',
  'WL-Proxy-Client-IP',
  'Proxy-Connection',
  'Proxy-Authorization',
  'X-Amzn-Trace-Id',
  'X-Amz-Cf-Id',
  'X-AppEngine-User-IP',
  'X-ARR-LOG-ID',
  'X-Azure-ClientIP',
  'X-Azure-SocketIP',
  'X-Cloud-Trace-Context',
  'X-Envoy-External-Address',
  'X-NF-Client-Connection-IP',
  'X-Original-URL',
  'X-Original-Host',
  'X-Rewrite-URL',
  'X-Host',
  'X-Vercel-Id',
  'X-Varnish',
  'X-Request-Start',
  'Tailscale-User-Login',
]

const local = fc.record({
  path: fc.constantFrom(...PATHS),
  remoteAddress: fc.constantFrom(...ADDRESSES),
  host: fc.constantFrom(...HOSTS),
  site: fc.constantFrom(undefined, 'none', 'same-origin'),
  hasOrigin: fc.boolean(),
})

type Local = typeof local extends fc.Arbitrary<infer T> ? T : never

/** What makes a request one that must be refused. */
const wrong = fc.oneof(
  fc.record({ kind: fc.constant('host'), value: fc.constantFrom(...FOREIGN_HOSTS) }),
  fc.record({ kind: fc.constant('address'), value: fc.constantFrom(...FOREIGN_ADDRESSES) }),
  fc.record({ kind: fc.constant('field'), value: fc.constantFrom(...PROXY_FIELDS) }),
  fc.record({ kind: fc.constant('site'), value: fc.constantFrom(...SITES) }),
  fc.record({
    kind: fc.constant('origin'),
    value: fc.constantFrom('http://evil.com', 'null', 'https://localhost', 'http://localhost:1', ''),
  }),
)

/** What trust in proxies makes of a request must not matter: it names this machine. */
const spoofed = {
  'x-forwarded-host': 'localhost',
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-proto': 'http',
}

function requestOf({ path, remoteAddress, host, site, hasOrigin }: Local): {
  url: string
  remoteAddress: string
  headers: Record<string, string>
} {
  const headers: Record<string, string> = { host }
  if (site !== undefined) headers['sec-fetch-site'] = site
  if (hasOrigin) headers['origin'] = `http://${host.toLowerCase()}`
  return { url: `/_explorer${path}`, remoteAddress, headers }
}

/** An app whose plugins open everything to everyone, before and behind the explorer. */
function openApp(options: { readonly allow?: boolean } = {}): Cloister {
  const app = cloister({ trustProxy: true })
  const open = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(open)
    // As middleware does it.
    reply.raw.setHeader('access-control-expose-headers', '*')
    reply.raw.setHeader('timing-allow-origin', '*')
  })
  app.addHook('onRoute', (route) => {
    const before = [route.onSend ?? []].flat()
    const opening: onSendAsyncHookHandler = async (_request, reply) => void reply.headers(open)
    route.onSend = [...before, opening]
  })
  app.register(explorer, options)
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ ...open, 'cross-origin-resource-policy': 'cross-origin' })
  })
  app.get('/', () => 'hello')
  return app
}

describe('who gets the page', () => {
  const app = openApp()
  const allowed = openApp({ allow: true })
  beforeAll(async () => void (await Promise.all([app.ready(), allowed.ready()])))
  afterAll(async () => void (await Promise.all([app.close(), allowed.close()])))

  it('is a client on this machine that names it', async () => {
    await fc.assert(
      fc.asyncProperty(local, async (given) => {
        expect((await app.inject(requestOf(given))).statusCode).toBe(200)
      }),
      { numRuns: 200 },
    )
  })

  it('is no other one, whatever a proxy is said to have forwarded', async () => {
    await fc.assert(
      fc.asyncProperty(local, wrong, fc.boolean(), async (given, { kind, value }, isSpoofed) => {
        const request = requestOf(given)
        if (kind === 'host') request.headers['host'] = value
        if (kind === 'host') delete request.headers['origin']
        if (kind === 'address') request.remoteAddress = value
        if (kind === 'field') request.headers[value] = 'localhost'
        if (kind === 'site') request.headers['sec-fetch-site'] = value
        if (kind === 'origin') request.headers['origin'] = value
        if (isSpoofed) Object.assign(request.headers, spoofed)
        const { statusCode, body } = await app.inject(request)
        // A Host field that is none is refused before.
        expect([400, 403]).toContain(statusCode)
        expect(body).not.toMatch(/doctype|contexts|explanation/)
      }),
      { numRuns: 400 },
    )
  })

  it('is no page of another origin, also where everyone is allowed', async () => {
    for (const site of SITES) {
      const headers = { 'sec-fetch-site': site }
      expect((await allowed.inject({ url: '/_explorer/app.json', headers })).statusCode).toBe(403)
    }
    const headers = { host: 'dev.example', 'x-forwarded-for': '10.0.0.7', 'sec-fetch-site': 'same-origin' }
    expect(
      (await allowed.inject({ url: '/_explorer/app.json', headers, remoteAddress: '10.0.0.7' })).statusCode,
    ).toBe(200)
  })

  it('gets responses that no plugin has opened to other origins', async () => {
    await fc.assert(
      fc.asyncProperty(
        local,
        fc.constantFrom('GET', 'HEAD'),
        fc.option(wrong),
        async (given, method, other) => {
          const request = requestOf(given)
          if (other?.kind === 'site') request.headers['sec-fetch-site'] = other.value
          for (const one of [app, allowed]) {
            const { headers } = await one.inject({ ...request, method })
            expect(Object.keys(headers).filter((name) => /^access-control|^timing-allow/.test(name))).toEqual(
              [],
            )
            expect(headers).toMatchObject({
              'cross-origin-resource-policy': 'same-origin',
              'x-content-type-options': 'nosniff',
              'cache-control': 'no-store',
            })
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the stages of requests', () => {
  const app = openApp()
  beforeAll(async () => void (await app.ready()))
  afterAll(() => app.close())

  const stagesOf = async (id: string): Promise<unknown[]> =>
    (await app.inject(`/_explorer/traces/${id}`)).json<unknown[]>()

  it('are bounded for each id, and for all', async () => {
    const ids = Array.from({ length: 80 }, (_, i) => `id-${i}`)
    for (const id of ids) {
      for (let i = 0; i < 40; i++) await app.inject({ url: '/', headers: { 'x-cloister-explorer': id } })
    }
    let kept = 0
    let bytes = 0
    for (const id of ids) {
      const stages = await stagesOf(id)
      expect(stages.length).toBeLessThanOrEqual(128)
      kept += Number(stages.length > 0)
      bytes += JSON.stringify(stages).length
    }
    expect(kept).toBe(50)
    expect(bytes).toBeLessThan(300_000)
  })

  it('are not noted for strangers, nor for ids that are no ids', async () => {
    await app.inject({ url: '/', headers: { 'x-cloister-explorer': 'far' }, remoteAddress: '10.0.0.7' })
    await app.inject({ url: '/', headers: { 'x-cloister-explorer': 'named', host: 'evil.com' } })
    await app.inject({ url: '/', headers: { 'x-cloister-explorer': 'via', via: '1.1 proxy' } })
    const long = 'x'.repeat(65)
    await app.inject({ url: '/', headers: { 'x-cloister-explorer': long } })
    for (const id of ['far', 'named', 'via', long]) expect(await stagesOf(id)).toEqual([])
  })
})
