import { definePlugin } from 'cloister'
import type { Cloister, Context, DefinedPlugin } from 'cloister'
import { connectionOf, membersOf, observeStages } from 'cloister/inspect'

import { ExplorerError } from './errors.ts'
import { isolate } from './isolate.ts'
import { whyForeign, whyRemote } from './local.ts'
import { readOptions } from './options.ts'
import type { ExplorerOptions } from './options.ts'
import { PAGE, POLICY } from './page.ts'
import { RequestForms } from './request-form.ts'
import { readKinds } from './route-kinds.ts'
import { Traces } from './traces.ts'

/** The header with the id under which the page finds the stages of its requests. */
const TRACE_HEADER = 'x-cloister-explorer'

/** The cookie with that id, for handshakes of WebSockets: pages cannot set their headers. */
const TRACE_COOKIE = /(?:^|;)\s*cloister-explorer=([\w-]+)/

/** The routes of the page are not documented, and need no schemas. */
const HIDDEN = { schema: { hide: true }, requireSchemas: false, logLevel: 'silent' } as const

/**
 * Serves a development page: the contexts and routes of the app, what each request runs, and a form to send one.
 *
 * It only serves clients on the same machine, and does not start if `NODE_ENV` is `production`, unless `allow` is
 * set.
 *
 * @throws {@link ExplorerError} `CLO_ERR_EXPLORER_PRODUCTION`, `CLO_ERR_EXPLORER_OPTION`
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { explorer } from '@cloister/explorer'
 *
 * const app = cloister()
 * if (process.env['NODE_ENV'] !== 'production') app.register(explorer)
 * app.get('/users/:id', () => 'a user')
 * await app.ready() // with listen, the page is at /_explorer
 * ```
 */
export const explorer: DefinedPlugin<{ options: ExplorerOptions }> = definePlugin<{
  options: ExplorerOptions
}>({
  name: '@cloister/explorer',
  encapsulate: true,
  once: 'lineage',
  ownOptions: true,
  plugin: async (app, options) => serveExplorer(app, options),
})

async function serveExplorer(app: Cloister<Context>, options: ExplorerOptions): Promise<void> {
  const { path, allow, editorUrl } = readOptions(options)
  if (!allow && process.env['NODE_ENV'] === 'production') {
    throw new ExplorerError(
      'CLO_ERR_EXPLORER_PRODUCTION',
      "@cloister/explorer shows the inside of the app and is for development: do not register it where NODE_ENV is 'production', or give { allow: true } and guard it with a hook",
    )
  }
  const traces = new Traces()
  let forms: RequestForms | null = null
  const whyNot = (request: object): string | null => {
    const connection = connectionOf(request)
    return whyForeign(connection) ?? (allow ? null : whyRemote(connection))
  }
  observeStages(app, (stage, request, hook) => {
    const id = traceOf(request.headers)
    if (id !== null && whyNot(request) === null) traces.add(id, stage, hook)
  })
  app.addHook('onRoute', (route) => {
    // After all other hooks, including those that plugins added in their own `onRoute`.
    route.onSend = [route.onSend ?? []].flat().concat(isolate)
  })
  app.addHook('onRequest', async (request, reply) => {
    const reason = whyNot(request)
    if (reason === null) return
    return reply.code(403).send({
      message: `the explorer is for this machine, and refuses this request: ${reason}; allow: true opens it to others`,
    })
  })

  app.get(path, HIDDEN, async (_request, reply) => {
    void reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer')
    return reply.type('text/html; charset=utf-8').send(PAGE)
  })
  app.get(`${path}/app.json`, HIDDEN, async () => ({
    app: membersOf(app).explain(),
    kinds: readKinds(app),
    editorUrl,
    own: `${app.prefix}${path}`,
  }))
  app.get(`${path}/route.json`, HIDDEN, async (request) => {
    const { method, url, constraints } = readQuery(request.query)
    forms ??= new RequestForms(app)
    return { explanation: membersOf(app).explain(method, url, constraints), form: forms.of(method, url) }
  })
  app.get(`${path}/traces/:id`, HIDDEN, async (request) => {
    return traces.of(String(Reflect.get(Object(request.params), 'id')))
  })
}

/** Returns the id of a request that the page has sent; `null` for other requests. */
function traceOf({ [TRACE_HEADER]: id, cookie }: Readonly<Record<string, unknown>>): string | null {
  if (typeof id === 'string') return id
  return typeof cookie === 'string' ? (TRACE_COOKIE.exec(cookie)?.[1] ?? null) : null
}

/** A query of the page: a route as `app.explain()` lists it. */
interface Question {
  readonly method: string
  readonly url: string
  readonly constraints: Readonly<Record<string, string>>
}

function readQuery(query: unknown): Question {
  const read = (name: string, fallback: string): string =>
    String(Reflect.get(Object(query), name) ?? fallback)
  const given: unknown = JSON.parse(read('constraints', '{}'))
  const constraints = typeof given === 'object' && given !== null ? given : {}
  const texts = Object.entries(constraints).map(([name, value]) => [name, String(value)] as const)
  return { method: read('method', 'GET'), url: read('url', '/'), constraints: Object.fromEntries(texts) }
}
