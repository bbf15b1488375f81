// The path that a mounted handler gets is the one that the router matched, whatever the options of the router.
import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'
import type { App, Request as AppRequest } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

interface RouterOptions {
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly caseSensitive: boolean
  readonly useSemicolonDelimiter: boolean
}

const options = fc.record({
  ignoreTrailingSlash: fc.boolean(),
  ignoreDuplicateSlashes: fc.boolean(),
  caseSensitive: fc.boolean(),
  useSemicolonDelimiter: fc.boolean(),
})

/** Where a handler is mounted: below the prefix of a context, which ends in a slash or not. */
const PREFIXES = ['/api', '/Api/', '/a//b']
const MOUNTS = ['/in', '/In/deep', '/in/', '/']

const words = fc.constantFrom(
  ...'in IN deep api admin x%2fy %61dmin a%25b ä %C3%A9 a;b ;x ; .. . %2e%2e %2E ..\\x a%3fb a%3bb a=1 a+b'.split(
    ' ',
  ),
)
const slashes = fc.constantFrom('/', '/', '/', '//', '///', '')
const rest = fc
  .array(fc.tuple(slashes, words), { maxLength: 4 })
  .map((parts) => parts.map(([slash, word]) => slash + word).join(''))
const end = fc.constantFrom('', '', '/', '//', '?', '?a=b', ';c=d?e', '?/../admin', ';/admin/x', '?a;b')

/** Writes a prefix in one of the ways that a router may read as the same. */
const writings = (prefix: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...prefix
        .split('')
        .map((char) =>
          char === '/'
            ? fc.constantFrom('/', '/', '/', '//')
            : fc.constantFrom(char, char, char, char.toUpperCase(), `%${char.charCodeAt(0).toString(16)}`),
        ),
    )
    .map((chars) => chars.join(''))

const wholePath = (prefix: string, mount: string): string =>
  (prefix.endsWith('/') ? prefix.slice(0, -1) : prefix) + mount.replace(/\/$/, '')

const cases = fc
  .tuple(fc.constantFrom(...PREFIXES), fc.constantFrom(...MOUNTS), options, fc.boolean())
  .chain(([prefix, mount, router, stripPrefix]) =>
    fc.record({
      prefix: fc.constant(prefix),
      mount: fc.constant(mount),
      router: fc.constant(router),
      stripPrefix: fc.constant(stripPrefix),
      targets: fc.array(
        fc.tuple(writings(wholePath(prefix, mount)), rest, end).map((parts) => parts.join('')),
        { minLength: 12, maxLength: 12 },
      ),
    }),
  )

type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

/** What the router has found, and what the handler got. */
interface Seen {
  readonly url: string
  readonly star: string
  got: string | null
}

/** A URL would resolve these, so no handler gets them. */
const RESOLVED = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i

/** The path and the query of a target, read by the words of the options. */
function readTarget(
  target: string,
  { useSemicolonDelimiter, ignoreDuplicateSlashes }: RouterOptions,
): { path: string; query: string } {
  const at = target.search(useSemicolonDelimiter ? /[?#;]/ : /[?#]/)
  const sent = at === -1 ? target : target.slice(0, at)
  const path = ignoreDuplicateSlashes ? sent.replaceAll(/\/+/g, '/') : sent
  return { path, query: at === -1 ? '' : target.slice(at + 1) }
}

/** The path of a request without its first segments. */
function without(prefix: string, path: string, { ignoreDuplicateSlashes }: RouterOptions): string {
  const merged = ignoreDuplicateSlashes ? prefix.replaceAll(/\/+/g, '/') : prefix
  return `/${path.split('/').slice(merged.split('/').length).join('/')}`
}

/** The rest of a path without the last slashes, which a router may ignore. */
const bare = (text: string): string => text.replace(/\/+$/, '')

describeTransports(
  'paths of mounted handlers',
  ({ createApp, send, ours, expect, unlessFetch, transport }) => {
    const test = ours('the peers have no app.mount')
    const hasNode = transport !== 'memory' && transport !== 'fetch'

    const targetOf = (url: string): string => url.slice(new URL(url).origin.length)

    /** Sends the targets to a mounted handler. */
    async function visit(
      kind: string,
      { prefix, mount, router, stripPrefix, targets }: Case,
    ): Promise<Seen[]> {
      const app = createApp({ ...router, closeGraceMs: 500 })
      const seen: Seen[] = []
      const note = (got: string): void => {
        const last = seen.at(-1)
        if (last !== undefined) last.got = got
      }
      const look = (request: Request): Response => {
        note(targetOf(request.url))
        return new Response('seen')
      }
      const listen = (request: IncomingMessage, response: ServerResponse): void => {
        note(String(request.url))
        response.end('seen')
      }
      const inside = async (child: App): Promise<void> => {
        child.addHook('preHandler', async ({ url, params, is404 }: AppRequest) => {
          if (!is404) seen.push({ url, star: params['*'] ?? '', got: null })
        })
        Object(child).mount(mount, kind === 'node' ? listen : look, { stripPrefix })
      }
      app.register(inside, { prefix })
      for (const path of targets) expect([200, 400, 404]).toContain((await send(app, { path })).status)
      await app.close()
      return seen
    }

    for (const kind of hasNode ? ['fetch', 'node'] : ['fetch']) {
      test(`a ${kind} handler gets the path that the router matched, without the prefix`, async () => {
        let reached = 0
        await fc.assert(
          fc.asyncProperty(cases, async (one) => {
            const { prefix, mount, router, stripPrefix } = one
            const whole = wholePath(prefix, mount)
            for (const { url, star, got } of await visit(kind, one)) {
              const { path, query } = readTarget(url, router)
              expect([url, got === null]).toEqual([url, RESOLVED.test(path)])
              if (got === null) continue
              reached += 1
              const [handed = '', search = ''] = got.split(/\?(.*)/s)
              const after = without(whole, path, router)
              expect([url, decodeURI(handed)]).toEqual([url, decodeURI(stripPrefix ? after : path)])
              expect([url, bare(decodeURIComponent(after).slice(1))]).toEqual([url, bare(star)])
              expect([url, search]).toEqual([url, query])
            }
          }),
          { numRuns: 15 },
        )
        expect(reached).toBeGreaterThan(15)
      })
    }

    test('the query of a handler begins where the router saw it, and not after its path', async () => {
      const app = createApp()
      const seen: string[] = []
      const look = (request: Request): Response => {
        seen.push(targetOf(request.url))
        return new Response('seen')
      }
      Object(app).mount('/keep', look)
      Object(app).mount('/api', look, { stripPrefix: true })
      for (const path of ['/keep;/admin/x', '/api;/admin/x', '/api?a;b']) await send(app, { path })
      expect(seen).toEqual(['/keep?/admin/x', '/?/admin/x', '/?a;b'])
    })

    const hostTest = unlessFetch('no URL has such a host', test)
    hostTest(
      'a Host that no URL has is a 400 for a fetch handler, and no matter for a listener',
      async () => {
        const app = createApp()
        Object(app).mount('/fetch', () => new Response('seen'))
        const listen = (_request: IncomingMessage, response: ServerResponse): unknown => response.end('seen')
        if (hasNode) Object(app).mount('/node', listen)
        const hosts = ['a%2fb', 'a%40b', '1.2.3.256']
        for (const host of hosts) {
          const headers = transport === 'http2' ? { ':authority': host } : { host }
          const response = await send(app, { path: '/fetch', headers })
          expect([host, response.status, response.json()]).toMatchObject([
            host,
            400,
            { code: 'CLO_ERR_HOST_INVALID' },
          ])
          if (hasNode) expect((await send(app, { path: '/node', headers })).text).toBe('seen')
        }
      },
    )
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
