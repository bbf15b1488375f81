// node benchmarks/parts/run.mjs [slices] [calls]   after `npm run build`
//
// What `@cloister/web` and a span of `@cloister/otel` add to the CPU of one request (inject), and what the
// span costs in the SDK alone. The apps are in this process and take turns; the least of the slices counts.
import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { cloister } from 'cloister'
import { otel } from '@cloister/otel'
import { web } from '@cloister/web'

const [slices = 300, calls = 400] = process.argv.slice(2).map(Number)

const ignored = () => Promise.resolve()
trace.setGlobalTracerProvider(
  new BasicTracerProvider({
    spanProcessors: [{ onStart() {}, onEnd() {}, forceFlush: ignored, shutdown: ignored }],
  }),
)
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

/** @typedef {ReturnType<typeof cloister>} App */

/** @type {Readonly<Record<string, (app: App) => unknown>>} */
const APPS = {
  nothing: () => {},
  web: (app) => app.register(web),
  span: (app) => app.register(otel, { context: false }),
  'active span': (app) => app.register(otel),
}

const subjects = await Promise.all(
  Object.entries(APPS).map(async ([name, fill]) => {
    const app = cloister()
    await fill(app)
    app.get('/users/:id', (request, reply) => {
      reply.send({ id: Object(request.params).id })
    })
    await app.ready()
    /** @type {() => Promise<void>} */
    const call = async () => void (await app.inject('/users/7'))
    return { name, call, costs: /** @type {number[]} */ ([]) }
  }),
)
subjects.push({ name: 'SDK alone', call: async () => startAndEnd(), costs: /** @type {number[]} */ ([]) })

/** Does with the SDK what the plugin does with it for this request. */
function startAndEnd() {
  const attributes = {
    'http.request.method': 'GET',
    'url.path': '/users/7',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'http.route': '/users/:id',
    'server.address': 'localhost',
    'client.address': '127.0.0.1',
  }
  const options = { kind: SpanKind.SERVER, attributes, links: [] }
  const span = trace.getTracer('parts').startSpan('GET /users/:id', options, ROOT_CONTEXT)
  trace.setSpan(ROOT_CONTEXT, span)
  span.setAttribute('http.response.status_code', 200)
  span.end()
}

for (let slice = 0; slice < slices; slice++)
  for (const [index] of subjects.entries()) {
    const subject = subjects[(index + slice) % subjects.length]
    if (subject !== undefined) subject.costs.push(await measure(subject.call))
  }

/** Returns the CPU time of one call in microseconds. @param {() => Promise<void>} call */
async function measure(call) {
  const start = process.cpuUsage()
  for (let index = 0; index < calls; index++) await call()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}

// The first quarter warms up.
const least = subjects.map(({ costs }) => Math.min(...costs.slice(Math.ceil(slices / 4))))
for (const [index, { name }] of subjects.entries()) {
  const cost = least[index] ?? Number.NaN
  const added = name === 'SDK alone' ? '' : `  +${(cost - (least[0] ?? Number.NaN)).toFixed(2)} µs`
  console.log(`${name.padEnd(18)} ${cost.toFixed(2)} µs${added}`)
}
