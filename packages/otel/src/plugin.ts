import { trace } from '@opentelemetry/api'
import { definePlugin } from 'cloister'
import type { DefinedPlugin } from 'cloister'
import { observeRequests } from 'cloister/inspect'

import { DurationHistogram } from './duration.ts'
import { Hosts } from './host.ts'
import { checkOptions } from './options.ts'
import { Callers } from './parent.ts'
import { observeRoute } from './route.ts'
import type { OtelOptions } from './types.ts'

/** The name of the tracer and the meter. */
const SCOPE = '@cloister/otel'

/** The options of the plugin. */
export interface OtelContract {
  /** The options. */
  readonly options: OtelOptions
}

/**
 * Creates a server span and a duration for each request, by the stable HTTP semantic conventions of OpenTelemetry, and
 * adds `trace_id` and `span_id` to its log lines. Uses the global providers, on every transport.
 *
 * Registered on the root app it covers all requests; in a plugin, those of the plugin's context, with its own options.
 *
 * @throws {@link OtelError} when the app starts
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { otel } from '@cloister/otel'
 *
 * const app = cloister({ logger: true })
 * app.register(otel)
 * app.get('/users/:id', () => 'a user')
 * await app.listen({ port: 3000 })
 * ```
 */
export const otel: DefinedPlugin<OtelContract> = definePlugin<OtelContract>({
  name: SCOPE,
  once: 'context',
  ownOptions: true,
  encapsulate: false,
  routeOptions: ['otel'],
  plugin: (app, options) => {
    const settings = checkOptions(options, Boolean(app.initialConfig.trustProxy))
    const telemetry = {
      settings,
      tracer: trace.getTracer(SCOPE),
      duration: new DurationHistogram(SCOPE),
      callers: new Callers(),
      hosts: new Hosts(),
    }
    observeRequests(app, (route) => observeRoute(telemetry, route), { hooks: settings.hooks })
    return app
  },
})
