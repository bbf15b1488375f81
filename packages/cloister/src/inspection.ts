import { assertOpen } from './boot/seal.ts'
import { CloisterApp } from './app/cloister-app.ts'
import { whatIsNoApp } from './app/not-an-app.ts'
import { createError } from './errors.ts'
import { readRoutes } from './inspect/inspect-routes.ts'
import type { InspectedRoute, SchemaGap } from './inspect/inspect-routes.ts'
import { kApp } from './symbols.ts'
import type { CloisterInstance } from './types/instance.ts'

export type { InspectedRoute, SchemaGap }

/**
 * Reads the routes of an app with their schemas, for tools that write documents or code of them. `app.explain()` says
 * everything else, as JSON.
 *
 * @param app - an app that is ready
 * @returns the routes in the order of definition, those with the method HEAD that the framework made included
 * @throws `CLO_ERR_INSPECT_APP_INVALID` for anything that is no app
 * @throws `CLO_ERR_EXPLAIN_NOT_READY` before the app is ready
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { inspectRoutes } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.get('/', { schema: { response: { 200: { type: 'string' } } } }, () => 'hello')
 * await app.ready()
 * for (const { description, schema } of inspectRoutes(app)) {
 *   app.log.info(`${description.method} ${description.url}: ${schema.response?.size ?? 0} statuses`)
 * }
 * ```
 */
export function inspectRoutes(app: Pick<CloisterInstance, 'explain'>): readonly InspectedRoute[] {
  return Object.freeze(readRoutes(inspected(app, 'inspectRoutes')))
}

/** What an observer sees of a request. */
export interface ObservedRequest {
  /** Its id. */
  readonly id: string
  /** Its method. */
  readonly method: string
  /** Its target: path and query. */
  readonly url: string
  /** Its headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/**
 * Calls a function at the start of each stage of each request, for development tools that show what a request runs. It
 * replaces the function of an earlier call. An app that nothing observes pays nothing for it.
 *
 * @param app - an app that is still loading, or a plugin's instance of it
 * @param observe - gets the name of the stage, as in `preHandler` or `serialize`, and the request
 * @throws `CLO_ERR_INSPECT_APP_INVALID` for anything that is no app
 * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING` when the app is ready
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { observeStages } from 'cloister/inspect'
 *
 * const app = cloister()
 * app.get('/', () => 'hello')
 * observeStages(app, (stage, request) => console.log(request.id, stage)) // req-1 handler …
 * await app.inject('/')
 * ```
 */
export function observeStages(
  app: Pick<CloisterInstance, 'explain'>,
  observe: (stage: string, request: ObservedRequest) => void,
): void {
  const observed = inspected(app, 'observeStages')
  assertOpen(observed, 'observe the stages of requests')
  observed.stageObserver = observe
}

function inspected(app: object, caller: string): CloisterApp {
  const found: unknown = Reflect.get(app, kApp)
  if (found instanceof CloisterApp) return found
  throw createError('INSPECT_APP_INVALID', { caller, got: whatIsNoApp(app) })
}
