import { CloisterApp } from './app/cloister-app.ts'
import { createError } from './errors.ts'
import { typeName } from './functions.ts'
import { readRoutes } from './inspect/inspect-routes.ts'
import type { InspectedRoute } from './inspect/inspect-routes.ts'
import { kApp } from './symbols.ts'
import type { CloisterInstance } from './types/instance.ts'

export type { InspectedRoute }

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
  const inspected: unknown = Reflect.get(app, kApp)
  if (!(inspected instanceof CloisterApp)) throw createError('INSPECT_APP_INVALID', { type: typeName(app) })
  return Object.freeze(readRoutes(inspected))
}
