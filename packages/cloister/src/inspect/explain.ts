import type { ManagedApp } from '../boot/managed-app.ts'
import type { AppDescription, MissingRoute, RouteExplanation } from '../types/description.ts'
import { describeApp } from './describe-app.ts'
import { explainRoute } from './explain-route.ts'

/**
 * Describes an app, or explains one of its routes.
 *
 * @param query - nothing, or a method, a URL and values of constraints
 * @throws `CLO_ERR_EXPLAIN_INVALID`, `CLO_ERR_EXPLAIN_NOT_READY`
 */
export function explain(
  app: ManagedApp,
  query: readonly unknown[],
): AppDescription | RouteExplanation | MissingRoute {
  if (query.length === 0) return describeApp(app)
  const [method, url, constraints] = query
  return explainRoute(app, { method, url, constraints })
}
