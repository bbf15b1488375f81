// Runs an app in a worker of the page: its module is evaluated, its requests go to `app.fetch`. Nothing is sent anywhere.
import * as framework from 'cloister'
import * as inspection from 'cloister/inspect'
// The document alone: the pages that the package serves are for Node.
import { createDocument } from '../../packages/openapi/dist/document/create-document.js'
import * as plugin from '@cloister/plugin'
import type { CloisterInstance } from 'cloister'
import type { Command, FormRequest, Report, RouteFacts } from './protocol.ts'

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
let began = 0
let abort = new AbortController()

addEventListener('message', ({ data }: MessageEvent<Command>) => {
  if (data.kind === 'cancel') abort.abort()
  const work = data.kind === 'start' ? start(data.code) : data.kind === 'send' ? send(data.request) : null
  work?.catch((error: unknown) =>
    say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})

async function start(code: string): Promise<void> {
  const given = await evaluate(code)
  inspection.observeStages(given, (name, _request, hook) => {
    if (hook === undefined) say({ kind: 'stage', name, ms: since() })
  })
  await given.ready()
  app = given
  say({ kind: 'started', routes: routesOf(given), document: documentOf(given) })
}

/** The default export of a module in CommonJS. */
async function evaluate(code: string): Promise<CloisterInstance> {
  const module = { exports: {} as { default?: CloisterInstance } }
  const require = (name: string): unknown => {
    if (Object.hasOwn(modules, name)) return modules[name]
    throw new Error(`The playground has no module '${name}'; it has ${Object.keys(modules).join(', ')}.`)
  }
  // eslint-disable-next-line no-new-func -- running the code of the editor is what a playground is for
  new Function('require', 'module', 'exports', code)(require, module, module.exports)
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

async function send({ method, url, headers, body }: FormRequest): Promise<void> {
  if (app === null) return
  abort = new AbortController()
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
  began = performance.now()
  const response = await app.fetch(request)
  say({ kind: 'head', status: response.status, headers: [...response.headers], ms: since() })
  await show(response)
  say({ kind: 'end', ms: since() })
}

async function show({ body }: Response): Promise<void> {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const cancel = () => void reader.cancel()
  abort.signal.addEventListener('abort', cancel)
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    say({ kind: 'chunk', text: decoder.decode(part.value, { stream: true }), ms: since() })
  }
}

const since = () => performance.now() - began
