// Runs an app in a worker of the page: its module is evaluated, its requests go to `app.fetch`. Nothing is sent anywhere.
import * as framework from 'cloister'
import * as inspection from 'cloister/inspect'
// The document alone: the pages that the package serves are for Node.
import { createDocument } from '../../packages/openapi/dist/document/create-document.js'
import * as plugin from '@cloister/plugin'
import type { CloisterInstance } from 'cloister'
import type { Command, Failure, FormRequest, Report, RouteFacts } from './protocol.ts'

const modules: Readonly<Record<string, unknown>> = {
  cloister: framework,
  'cloister/inspect': inspection,
  '@cloister/openapi': { openApiDocument: createDocument },
  '@cloister/plugin': plugin,
}

const say = (report: Report) => postMessage(report)

for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  console[level] = (...values: unknown[]) => {
    say({
      kind: 'log',
      text: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '),
    })
  }
}

let app: CloisterInstance | null = null
let current: Exchange | null = null

/** A request on its way. */
class Exchange {
  readonly id: number
  readonly abort: AbortController = new AbortController()
  readonly #began = performance.now()
  /** The request as the app has it: handlers may send others with `inject`. */
  #seen: object | null = null

  constructor(id: number) {
    this.id = id
  }

  get ms(): number {
    return performance.now() - this.#began
  }

  isOf(request: object): boolean {
    this.#seen ??= request
    return this.#seen === request
  }
}

addEventListener('message', ({ data }: MessageEvent<Command>) => {
  if (data.kind === 'cancel') current?.abort.abort()
  if (data.kind === 'start') {
    start(data.code).catch((error: unknown) => say({ kind: 'unstarted', ...failureOf(error) }))
  } else if (data.kind === 'send') {
    current?.abort.abort()
    const exchange = new Exchange(data.id)
    current = exchange
    send(data.request, exchange).catch((error: unknown) => {
      if (exchange.abort.signal.aborted) say({ kind: 'end', id: exchange.id, ms: exchange.ms })
      else say({ kind: 'failed', id: exchange.id, ...failureOf(error) })
    })
  }
})

async function start(code: string): Promise<void> {
  const given = await evaluate(code)
  inspection.observeStages(given, (stage, request, hook) => {
    if (current?.isOf(request) !== true) return
    say({ kind: 'stage', id: current.id, stage, hook: hook ?? null, at: current.ms })
  })
  await given.ready()
  app = given
  say({ kind: 'started', routes: routesOf(given), document: documentOf(given) })
}

/** `Function` for code with `await`. */
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<void>

const NAMES = ['require', 'module', 'exports']
const PLACE = /playground-app\.ts:(\d+)/

const functionOf = (code: string) => new AsyncFunction(...NAMES, `${code}\n//# sourceURL=playground-app.ts`)

/** How many lines the browser puts before the code of a function. */
const linesBefore = functionOf('throw new Error()')().then(
  () => 0,
  (error: Error) => Number(PLACE.exec(error.stack ?? '')?.[1] ?? 1) - 1,
)
let before = 0

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), line: null, isSyntax: false }
  const line = PLACE.exec(error.stack ?? '')?.[1]
  return {
    message: error.message,
    line: line === undefined ? null : Number(line) - before,
    isSyntax: error instanceof SyntaxError && line === undefined,
  }
}

/** The default export of a module in CommonJS. */
async function evaluate(code: string): Promise<CloisterInstance> {
  before = await linesBefore
  const module = { exports: {} as { default?: CloisterInstance } }
  const require = (name: string): unknown => {
    if (Object.hasOwn(modules, name)) return modules[name]
    throw new Error(`The playground has no module '${name}'; it has ${Object.keys(modules).join(', ')}.`)
  }
  // Running the code of the editor is what a playground is for.
  await functionOf(code)(require, module, module.exports)
  const given = await module.exports.default
  if (typeof given?.ready !== 'function') throw new Error('Export the app: `export default app`.')
  return given
}

function routesOf(given: CloisterInstance): RouteFacts[] {
  const routes = inspection.inspectRoutes(given).map(({ description: { method, url } }) => ({ method, url }))
  return routes.flatMap(({ method, url }) => {
    const found = given.explain(method, url)
    if (found.kind !== 'route') return []
    return [
      {
        method,
        url,
        hooks: found.hooks.map(({ name, fn, plugin: path }) => ({
          name,
          fn: String(fn),
          plugin: String(path),
        })),
      },
    ]
  })
}

function documentOf(given: CloisterInstance): string {
  const info = { title: 'Playground', version: '1.0.0' }
  return JSON.stringify(createDocument(given, { info }).document, null, 2)
}

async function send({ method, url, headers, body }: FormRequest, exchange: Exchange): Promise<void> {
  if (app === null) return
  const { id, abort } = exchange
  const fields = headers
    .split('\n')
    .map((line) => /^([^:]+):(.*)$/.exec(line))
    .flatMap((found): [string, string][] =>
      found === null ? [] : [[found[1]?.trim() ?? '', found[2]?.trim() ?? '']],
    )
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: fields,
    signal: abort.signal,
    ...(hasBody ? { body } : {}),
  })
  const response = await app.fetch(request)
  say({ kind: 'head', id, status: response.status, headers: [...response.headers], ms: exchange.ms })
  await show(response, exchange)
  say({ kind: 'end', id, ms: exchange.ms })
}

async function show({ body }: Response, exchange: Exchange): Promise<void> {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const cancel = () => void reader.cancel()
  exchange.abort.signal.addEventListener('abort', cancel)
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const text = decoder.decode(part.value, { stream: true })
    say({ kind: 'chunk', id: exchange.id, text, ms: exchange.ms })
  }
}
