// `node try-agent.mjs AGENT TRANSPORT`: starts an agent before the app is loaded, as its documentation says, sends requests, and prints
// what serves them, why, and what the agent has seen. Agents want to be the first module that is loaded.
import { createRequire } from 'node:module'

// Agents replace what `require` returns.
const load = createRequire(import.meta.url)
const agent = process.argv[2] ?? ''
/** What the agent calls the requests that it saw. */
const seen = []

/** Nothing listens there: what agents send is lost. */
const service = 'http://127.0.0.1:9'

const note = (method, route, status) => void seen.push(`${method} ${route} ${status}`)

/** Attributes of OpenTelemetry, under the names of both of its conventions. */
function noteSpan({ attributes }) {
  const method = attributes['http.request.method'] ?? attributes['http.method']
  const status = attributes['http.response.status_code'] ?? attributes['http.status_code']
  const url = attributes['http.target'] ?? attributes['url.path'] ?? attributes['http.route']
  if (method !== undefined && status !== undefined) note(method, url, status)
}

let flush = async () => {}

const AGENTS = {
  none() {},
  opentelemetry() {
    const { NodeSDK, tracing } = load('@opentelemetry/sdk-node')
    const { HttpInstrumentation } = load('@opentelemetry/instrumentation-http')
    const exporter = {
      export(spans, done) {
        for (const span of spans) if (span.kind === 1) noteSpan(span)
        done({ code: 0 })
      },
      shutdown: async () => {},
    }
    const spanProcessors = [new tracing.SimpleSpanProcessor(exporter)]
    new NodeSDK({ instrumentations: [new HttpInstrumentation()], spanProcessors }).start()
  },
  'dd-trace'() {
    const tracer = load('dd-trace').init({ url: service, startupLogs: false, flushInterval: 10 })
    tracer.use('http', {
      server: {
        hooks: {
          request: (span, request, response) => note(request.method, request.url, response.statusCode),
        },
      },
      client: false,
    })
  },
  newrelic() {
    Object.assign(process.env, {
      NEW_RELIC_NO_CONFIG_FILE: 'true',
      NEW_RELIC_APP_NAME: 'conformance',
      NEW_RELIC_LICENSE_KEY: '0'.repeat(40),
      NEW_RELIC_HOST: '127.0.0.1',
      NEW_RELIC_LOG_ENABLED: 'false',
    })
    load('newrelic')
    // No service takes what it collects, so its own event is read.
    load.cache[load.resolve('newrelic')].exports.agent.on(
      'transactionFinished',
      ({ verb, url, statusCode }) => note(verb, url, statusCode),
    )
  },
  'elastic-apm-node'() {
    const apm = load('elastic-apm-node').start({
      serverUrl: service,
      serviceName: 'conformance',
      logLevel: 'off',
      centralConfig: false,
      metricsInterval: 0,
    })
    apm.addTransactionFilter((transaction) => {
      const [method, url] = transaction.name.split(' ')
      note(method, transaction.context.request.url.pathname ?? url, transaction.context.response.status_code)
      return transaction
    })
  },
  '@sentry/node'() {
    const sentry = load('@sentry/node')
    const transport = () => ({ send: async () => ({}), flush: async () => true })
    sentry.init({ dsn: 'http://key@127.0.0.1:9/1', tracesSampleRate: 1, transport })
    // Its own event for each request that its `emit` gets.
    sentry.getClient().on('httpServerRequest', (request, response) => {
      response.once('close', () => note(request.method, request.url, response.statusCode))
    })
    flush = () => sentry.flush(2000)
  },
}

AGENTS[agent]()
const { cloister } = load('cloister')
async function main() {
  const app = cloister({ transport: process.argv[3] ?? 'auto' })
  app.get('/users/:id', async (request) => ({ id: request.params.id }))
  app.get('/broken', async () => {
    throw new Error('no database')
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const statuses = []
  for (const path of ['/users/7', '/broken']) {
    const response = await fetch(origin + path)
    await response.text()
    statuses.push(response.status)
  }
  const { name, reason, handedOver } = app.transport
  await flush()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  console.log(JSON.stringify({ agent, name, reason, handedOver, statuses, seen }))
  // oxlint-disable-next-line unicorn/no-process-exit -- the timers of agents would keep the process
  process.exit(0)
}
void main()
