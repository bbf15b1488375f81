import type { Context } from '../context/context.ts'
import type { AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { RoutePlan } from '../request/route-plan.ts'

/** The options of a route as user code gave them; `onRoute` hooks may still change them. */
export type RouteOptions = Record<string, unknown>

/** A route as it was defined, checked; its plan is made when the app is ready. */
export interface RouteRecord {
  readonly method: string
  /** full path, prefix included */
  readonly url: string
  readonly options: RouteOptions
  readonly context: Context
  readonly handler: AnyFunction
  readonly callSite: CallSite
  /** a HEAD route that the framework made beside a GET route */
  readonly automatic: boolean
  /** the path with a slash of the route `/` below a prefix; the record of the path without one comes before */
  readonly isSecondPath: boolean
  plan: RoutePlan | null
}

/** `GET /users/:id`, for messages. */
export function routeLabel(record: Pick<RouteRecord, 'method' | 'url'>): string {
  return `${record.method} ${record.url}`
}
