import { definePlugin } from 'cloister'
import type { Cloister, CloisterReply, CloisterRequest, Context, DefinedPlugin, StrictReport } from 'cloister'

import { Drain } from './drain.ts'
import { createInstruments } from './meter.ts'
import { checkOptions } from './options.ts'
import type { Settings } from './options.ts'
import { PROMETHEUS_TYPE, writePrometheus } from './prometheus.ts'
import { ReadinessChecks } from './readiness.ts'
import { Shedding } from './shedding.ts'
import { Traffic } from './traffic.ts'
import type { OperateOptions, Operation } from './types.ts'

/** What the plugin provides, and its options. */
export interface OperateContract {
  /** The decorator. */
  readonly provides: { readonly app: { readonly operate: Operation } }
  /** The options. */
  readonly options: OperateOptions
}

/**
 * Serves probes and metrics, drains the app on SIGTERM, and refuses requests while the process is overloaded.
 * Register it on the root app, before routes and other plugins.
 *
 * @throws {@link OperateError} when the app starts
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { operate } from '@cloister/operate'
 *
 * const app = cloister()
 * app.register(operate, { shedding: { eventLoopDelayMs: 100 } })
 * app.get('/books', () => [])
 * await app.listen({ port: 3000 })
 * ```
 */
export const operate: DefinedPlugin<OperateContract> = definePlugin<OperateContract>({
  name: '@cloister/operate',
  once: 'lineage',
  ownOptions: true,
  plugin: (app, options) => {
    const settings = checkOptions(options)
    const drain = new Drain(app, settings)
    const operation = watchRequests(app, settings, drain)
    serve(app, settings, operation)
    app.addHook('onListen', async () => drain.watchSignals())
    // The app then also serves the requests that arrive while it closes.
    const stated = { [Symbol.for('cloister.drained')]: () => drain.hasBegun }
    app.addHook(
      'preClose',
      Object.assign(async () => drain.stop(), stated),
    )
    return app.decorate('operate', operation)
  },
})

type App = Cloister<Context>

/** Returns how to read what `strict` would refuse. A decorator that is added later may have the same name. */
function strictOf(app: App): () => StrictReport | null {
  const { report } = app
  return () => report.call(app)
}

/** Counts and sheds requests, and sends `connection: close` while the app drains. */
function watchRequests(app: App, settings: Settings, drain: Drain): Operation {
  const readStrict = strictOf(app)
  const instruments = createInstruments(settings.meter, () => traffic.open, readStrict)
  const traffic = new Traffic(
    (server) => Reflect.get(server, 'operate') === operation,
    (series, seconds) => instruments.record(series, seconds),
  )
  const shedding = Shedding.isWanted(settings)
    ? new Shedding(settings, app.initialConfig, app.log, (limit) => instruments.shed(limit))
    : null
  const checks = new ReadinessChecks(settings, (name, result, err) => {
    if (result === 'ok') app.log.info(`the readiness check '${name}' is ok again`)
    else app.log.error({ err }, `the readiness check '${name}' ${result === 'late' ? 'is late' : 'failed'}`)
  })
  const operation: Operation = {
    get openRequests() {
      return traffic.open
    },
    get isDraining() {
      return drain.hasBegun
    },
    addCheck: (name, check) => checks.add(name, check),
    async checkReadiness() {
      const results = await checks.run()
      const isWell = Object.values(results).every((one) => one === 'ok')
      return { status: drain.hasBegun ? 'draining' : isWell ? 'ready' : 'failing', checks: results }
    },
    async metricsText() {
      const shed = shedding?.counts ?? null
      const { open: openRequests, durations } = traffic
      const figures = { durations: durations.list(), openRequests, shed, strict: readStrict() }
      const own = writePrometheus(figures)
      return settings.registry === null ? own : own + (await settings.registry.metrics())
    },
    drain: () => drain.run(),
  }
  function operateRequest(request: CloisterRequest, reply: CloisterReply, done: () => void): void {
    if (drain.hasBegun) reply.header('connection', 'close')
    if (shedding === null || isOwn(request)) done()
    else shedding.admit(reply, traffic.open, done)
  }
  // Documents and types have what a hook states.
  const stated = shedding === null ? {} : { [Symbol.for('cloister.refuses')]: { 503: 'error' } }
  app.addHook('onRequest', Object.assign(operateRequest, stated))
  if (shedding !== null) {
    app.addHook('onListen', async () => {
      app.server.on('connection', () => shedding.accepted())
    })
  }
  app.addHook('onReady', async () => {
    traffic.start()
    shedding?.start()
  })
  app.addHook('preClose', async () => checks.stop())
  app.addHook('onClose', async () => {
    traffic.stop()
    shedding?.stop()
    instruments.stop()
  })
  return operation
}

/** Marks the routes of the plugin, which are served whatever the load is. */
const OWN = Symbol('@cloister/operate')
const ROUTE = { logLevel: 'warn', schema: { hide: true }, config: { [OWN]: true } } as const
/**
 * With a limit of `@cloister/web`, the app would look ill to a supervisor that probes often, or while the store of the
 * limit is slow.
 */
const PROBE = { ...ROUTE, config: { ...ROUTE.config, web: { limit: false } } } as const

function isOwn(request: { readonly routeOptions: { readonly config: object } }): boolean {
  return Object.hasOwn(request.routeOptions.config, OWN)
}

function serve(app: App, { live, ready, metrics }: Settings, operation: Operation): void {
  const headers = { 'cache-control': 'no-store' }
  if (live !== false) app.get(live, PROBE, (_request, reply) => reply.headers(headers).send({ status: 'ok' }))
  if (ready !== false) {
    app.get(ready, PROBE, async (_request, reply) => {
      const readiness = await operation.checkReadiness()
      return reply
        .code(readiness.status === 'ready' ? 200 : 503)
        .headers(headers)
        .send(readiness)
    })
  }
  if (metrics !== false) {
    app.get(metrics, ROUTE, async (_request, reply) =>
      reply
        .headers(headers)
        .type(PROMETHEUS_TYPE)
        .send(await operation.metricsText()),
    )
  }
}
