import type { AppForm } from '../app-form.ts'

/** A platform for which an app is built. */
export type TargetName = 'node' | 'workerd' | 'bun' | 'deno' | 'lambda'

/** How a platform wants its module. */
export interface Target {
  /** The export conditions that its packages are chosen by. */
  readonly conditions: readonly string[]
  /** Whether it has the modules of Node and its servers. */
  readonly hasNode: boolean
  /** Whether it is Node itself, which takes a code cache for a script. */
  readonly hasCodeCache: boolean
  /** The statements of the entry after `app` has been made; empty if the app alone is exported. */
  readonly entry: string
  /** The same for an app that takes WebSockets; left out if there is no difference. */
  readonly entryWithSockets?: string
  /** How the output is started. */
  readonly start: (file: string) => string
}

/** The modules of our packages, of which a bundler leaves out those that an app does not use. */
const NODE = ['@cloister/modules', 'module', 'import', 'node'] as const

const FETCH = 'export default { fetch: app.fetch }\n'

const BUN_SOCKETS = `import { bunWebSocket } from '@cloister/websocket'
export default { fetch: app.fetch, websocket: bunWebSocket }
`

const LISTEN = `import { pathToFileURL } from 'node:url'
export { app, app as default }
const { argv, env } = process
if (argv[1] !== undefined && ownUrl__ === pathToFileURL(argv[1]).href) {
  const address = await app.listen({ port: Number(env.PORT ?? 3000), ...(env.HOST ? { host: env.HOST } : {}) })
  if (app.log.level === undefined || app.log.level === 'silent') console.log(\`listening on \${address}\`)
  const drains = (listener) => Symbol.for('cloister.drains') in listener
  for (const name of ['SIGINT', 'SIGTERM']) process.listeners(name).some(drains) || process.once(name, () => void app.close())
}
`

/**
 * A function URL or an HTTP API (payload format 2.0): `handler` returns whole responses, `stream` is for a function whose
 * responses are streamed. Bodies that are text stay text, which is shorter.
 */
const LAMBDA = `import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { toFetch } from 'cloister/fetch'
const fetch__ = toFetch(app, (_request, event) => ({ clientAddress: event.requestContext.http.sourceIp }))
const respond__ = (event) => {
  if (event?.requestContext?.http === undefined)
    throw new TypeError('the event is not of a function URL or an HTTP API with the payload format 2.0, which this handler is for: it has no requestContext.http; for the events of REST APIs and load balancers, use the app with @fastify/aws-lambda')
  const { rawPath, rawQueryString, cookies, headers, body, isBase64Encoded, requestContext } = event
  const sent = new Headers(headers)
  if (cookies !== undefined) sent.set('cookie', cookies.join('; '))
  const query = rawQueryString === '' ? '' : \`?\${rawQueryString}\`
  const request = new Request(\`https://\${headers.host ?? 'localhost'}\${rawPath}\${query}\`, {
    method: requestContext.http.method,
    headers: sent,
    body: body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  })
  return fetch__(request, event)
}
const headOf__ = (response) => ({
  statusCode: response.status,
  headers: Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie')),
  cookies: response.headers.getSetCookie(),
})
export async function handler(event) {
  const response = await respond__(event)
  const bytes = Buffer.from(await response.arrayBuffer())
  const isBase64Encoded = response.headers.has('content-encoding') || !isUtf8(bytes)
  return { ...headOf__(response), body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded }
}
export const stream = globalThis.awslambda?.streamifyResponse(async (event, output) => {
  const response = await respond__(event)
  const target = globalThis.awslambda.HttpResponseStream.from(output, headOf__(response))
  // The head is sent with the first bytes, also if there are none.
  target.write('')
  await pipeline(response.body === null ? Readable.from([]) : Readable.fromWeb(response.body), target)
})
`

/** By the name of the option `--target`. */
export const TARGETS: Readonly<Record<TargetName, Target>> = {
  node: {
    conditions: NODE,
    hasNode: true,
    hasCodeCache: true,
    entry: LISTEN,
    start: (file) => `node ${file}`,
  },
  workerd: {
    conditions: ['cloister-bare', 'cloister-lean', 'workerd', 'worker', 'module', 'import'],
    hasNode: false,
    hasCodeCache: false,
    entry: FETCH,
    start: (file) => `wrangler deploy --no-bundle ${file}`,
  },
  bun: {
    conditions: ['bun', ...NODE],
    hasNode: true,
    hasCodeCache: false,
    entry: FETCH,
    entryWithSockets: BUN_SOCKETS,
    start: (file) => `bun ${file}`,
  },
  deno: {
    conditions: ['deno', ...NODE],
    hasNode: true,
    hasCodeCache: false,
    entry: FETCH,
    start: (file) => `deno serve --allow-net --allow-env --allow-read ${file}`,
  },
  lambda: {
    conditions: NODE,
    hasNode: true,
    hasCodeCache: true,
    entry: LAMBDA,
    start: () => 'its export handler',
  },
}

/**
 * Returns the text of the entry of a bundle: what makes `app` of the file, and what the platform wants.
 *
 * @param file - the specifier of the file of the app
 * @param imports - further imports, before all others
 */
export function entryOf(
  file: string,
  form: AppForm,
  target: Target,
  imports: readonly string[] = [],
  takesSockets: boolean = false,
): string {
  const from = JSON.stringify(file)
  const head = imports.map((one) => `import ${JSON.stringify(one)}\n`).join('')
  // The file exports what its platform wants, or listens itself.
  if (form.kind === 'worker') return `${head}export * from ${from}\nexport { default } from ${from}\n`
  if (form.kind === 'made') return `${head}import ${from}\n`
  const { entry, entryWithSockets = entry } = target
  return `${head}${makerOf(from, form)}${takesSockets ? entryWithSockets : entry}`
}

function makerOf(from: string, { kind, name }: AppForm): string {
  // A CommonJS module may be nested in its default export.
  const given = name === 'default' ? 'file.default?.default ?? file.default' : `file.${name}`
  const head = `import * as file from ${from}\nconst given = ${given}\n`
  switch (kind) {
    case 'factory':
      return `${head}const app = await given()\n`
    case 'plugin':
      return `import { cloister } from 'cloister'
${head}const app = cloister(file.options ?? {})
app.register(given)
`
    default:
      return `${head}const app = given instanceof Promise ? await given : given\n`
  }
}
