import { definePlugin } from 'cloister'
import type { DefinedPlugin } from 'cloister'
import { definedRoutes } from 'cloister/inspect'

import { isRecord } from '../options.ts'
import { IdempotencyOptionError } from './errors.ts'
import { assertPluginOptions, settingsOf, type IdempotencyOptions } from './options.ts'
import { IdempotentRoute } from './route.ts'

/** The options of the plugin. */
export interface IdempotencyContract {
  /** The options. */
  readonly options: IdempotencyOptions
}

/**
 * Makes routes with the option `idempotency` idempotent: of requests with one key, one runs, and the others get its
 * response. Register it before the routes.
 *
 * @throws {@link IdempotencyOptionError} when the app starts
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { idempotency, memoryState } from '@cloister/state'
 *
 * const app = cloister()
 * await app.register(idempotency, { state: memoryState(), scope: 'public' })
 * app.post('/payments', { idempotency: true }, () => ({ paid: true }))
 * await app.listen({ port: 3000 })
 * ```
 */
export const idempotency: DefinedPlugin<IdempotencyContract> = definePlugin<IdempotencyContract>({
  name: '@cloister/state/idempotency',
  once: 'lineage',
  ownOptions: true,
  encapsulate: false,
  routeOptions: ['idempotency'],
  plugin: (app, options) => {
    assertPluginOptions(options)
    const failures = new Set<string>()
    const installed = new WeakSet<object>()
    app.addHook('onRoute', (route) => {
      const given: unknown = Reflect.get(route, 'idempotency')
      if (isOff(given)) return
      const label = labelOf(route)
      refuseRoute(route, label)
      const settings = settingsOf(options, given, label)
      failures.add(settings.onStateFailure)
      new IdempotentRoute(settings, label).install(route)
      installed.add(route)
    })
    app.addHook('onReady', async () => {
      refuseEarlierRoutes(app, installed)
      const isRefused = failures.has('refuse')
      const then = isRefused ? 'are refused with 503' : 'run without protection'
      app.log.info(`idempotency: while the state fails, requests with a key ${then}`)
      try {
        await options.state.ready()
      } catch (error) {
        if (isRefused) throw error
        app.log.error({ err: error }, 'idempotency: the state failed at boot')
      }
    })
    return app
  },
})

const isOff = (given: unknown): boolean => given === undefined || given === false

/**
 * The requests of a route that was defined before the plugin was loaded would run as often as they are sent.
 *
 * @throws IdempotencyOptionError `CLO_ERR_IDEMPOTENCY_LATE`
 */
function refuseEarlierRoutes(
  app: Parameters<typeof definedRoutes>[0],
  installed: { has(route: object): boolean },
): void {
  const late = definedRoutes(app).find(
    ({ options }) => !isOff(options['idempotency']) && !installed.has(options),
  )
  if (late === undefined) return
  const problem = `the route ${late.method} ${late.url} (${late.callSite}) was defined before '@cloister/state/idempotency' was loaded, so it would not be idempotent; register it first: await app.register(idempotency, { … })`
  throw new IdempotencyOptionError('CLO_ERR_IDEMPOTENCY_LATE', problem)
}

/** Routes with one path may differ in their constraints. */
function labelOf({ method, url, constraints }: LabeledRoute): string {
  const shown = (_name: string, value: unknown): unknown => (value instanceof RegExp ? String(value) : value)
  const own = constraints === undefined ? '' : ` ${JSON.stringify(constraints, shown)}`
  return `${[method].flat().join(', ')} ${url}${own === ' {}' ? '' : own}`
}

interface LabeledRoute {
  readonly method: string | readonly string[]
  readonly url: string
  readonly constraints?: object
}

/** Methods whose requests change nothing. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

/** Media types whose responses are streams. */
const STREAMS: ReadonlySet<string> = new Set([
  'text/event-stream',
  'application/x-ndjson',
  'application/jsonl',
])

/** @throws IdempotencyOptionError `CLO_ERR_IDEMPOTENCY_ROUTE` for a route that can't be idempotent */
function refuseRoute(route: { readonly method: string | readonly string[] }, label: string): void {
  const safe = [route.method].flat().find((method) => SAFE.has(method.toUpperCase()))
  const problem =
    safe !== undefined
      ? `requests with ${safe} change nothing, so they need no 'idempotency'`
      : isStream(route)
        ? "the response is a stream, which is not kept, so the route can't have 'idempotency'"
        : null
  if (problem === null) return
  throw new IdempotencyOptionError('CLO_ERR_IDEMPOTENCY_ROUTE', `${problem} (${label})`)
}

function isStream(route: object): boolean {
  const handler: unknown = Reflect.get(route, 'handler')
  const isGenerator = typeof handler === 'function' && handler.constructor.name.endsWith('GeneratorFunction')
  const schema: unknown = Reflect.get(route, 'schema')
  const responses = isRecord(schema) && isRecord(schema['response']) ? Object.values(schema['response']) : []
  const types = responses.flatMap((one) =>
    isRecord(one) && isRecord(one['content']) ? Object.keys(one['content']) : [],
  )
  return isGenerator || types.some((type) => STREAMS.has(type.toLowerCase()))
}
