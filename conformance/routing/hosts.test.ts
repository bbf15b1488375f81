// The host that a request names, and what a proxy says of it.
import { describeTransports } from '../harness/transports.ts'

describeTransports('hosts of requests', ({ createApp, send, it, ours, unlessFetch, expect, protocol }) => {
  const seen = async (headers: Record<string, string>, options: object = {}): Promise<unknown> => {
    const app = createApp({ ...options })
    app.get('/', ({ host, hostname, port, protocol }) => ({ host, hostname, port, protocol }))
    return (await send(app, { path: '/', headers })).json()
  }

  unlessFetch('the platform reads the host', ours('4.x and 5.x cut an IPv6 address'))(
    'have a name and a port, also where the name is an address in brackets',
    async () => {
      for (const [host, hostname, port] of [
        ['example.org', 'example.org', null],
        ['example.org:8080', 'example.org', 8080],
        ['[::1]', '[::1]', null],
        ['[::1]:8080', '[::1]', 8080],
        ['[2001:db8::80]', '[2001:db8::80]', null],
      ] as const) {
        expect(await seen({ host })).toMatchObject({ host, hostname, port })
      }
    },
  )

  ours('4.x and 5.x take an empty entry')('are those of the nearest proxy, where it says one', async () => {
    const trusted = { trustProxy: true }
    const forwarded = 'far.example, near.example:81 '
    expect(await seen({ host: 'own.example', 'x-forwarded-host': forwarded }, trusted)).toMatchObject({
      host: 'near.example:81',
      hostname: 'near.example',
      port: 81,
    })
    for (const none of ['far.example,', ' ', ',']) {
      const headers = { host: 'own.example', 'x-forwarded-host': none, 'x-forwarded-proto': none }
      expect(await seen(headers, trusted)).toMatchObject({ host: 'own.example', protocol })
    }
  })

  it('are those of the request where a trusted proxy says nothing', async () => {
    expect(await seen({ host: 'own.example' }, { trustProxy: true })).toMatchObject({
      hostname: 'own.example',
      protocol,
    })
  })

  it('are those of a proxy that a function trusts by its address', async () => {
    const headers = { host: 'own.example', 'x-forwarded-host': 'far.example' }
    const trustProxy = (address: string): boolean => address === '127.0.0.1'
    expect(await seen(headers, { trustProxy })).toMatchObject({ hostname: 'far.example' })
  })

  it('are those of the connection where no proxy is trusted', async () => {
    const headers = { host: 'own.example', 'x-forwarded-host': 'far.example', 'x-forwarded-proto': 'https' }
    expect(await seen(headers)).toMatchObject({ hostname: 'own.example', protocol })
  })
})

describeTransports(
  'hosts of requests over HTTP/2',
  ({ createApp, send, it, expect }) => {
    it('are the authority, where there is no host', async () => {
      const app = createApp()
      app.get('/', (request) => ({ authority: request.headers[':authority'], hostname: request.hostname }))
      const response = Object((await send(app, { path: '/' })).json())
      expect(response.authority).toMatch(/^127\.0\.0\.1:\d+$/)
      expect(response.hostname).toContain('127.0.0.1')
    })
  },
  ['http2'],
)

describeTransports(
  'addresses of requests without a connection',
  ({ createApp, ours, expect }) => {
    ours('4.x and 5.x have no fetch')('are unknown, unless who has none is trusted', async () => {
      const addresses = async (
        trustProxy: unknown,
        headers: Record<string, string> = {},
      ): Promise<unknown> => {
        const app = createApp({ trustProxy })
        app.get('/', ({ ip, ips }) => ({ ip: ip ?? 'none', ips: ips ?? 'none' }))
        return (await app.fetch(new Request('http://a.example/', { headers }))).json()
      }
      const forwarded = { 'x-forwarded-for': '1.1.1.1' }
      expect(await addresses(false, forwarded)).toEqual({ ip: 'none', ips: 'none' })
      expect(await addresses('loopback', forwarded)).toEqual({ ip: 'none', ips: [] })
      expect(await addresses({ hops: 1, from: ['0.0.0.0/1', '::/1'] }, forwarded)).toEqual({
        ip: 'none',
        ips: [],
      })
      expect(await addresses(true)).toEqual({ ip: 'none', ips: [] })
      expect(await addresses(true, forwarded)).toEqual({ ip: '1.1.1.1', ips: ['1.1.1.1'] })
    })
  },
  ['in-process'],
)
