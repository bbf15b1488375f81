import type { AppDescription, MissingRoute, RouteExplanation } from '../description.ts'
import type { HttpMethod } from '../raw.ts'
import type { RouteConstraints } from '../route-options.ts'

/** Options of `printRoutes`. */
export interface PrintRoutesOptions {
  /**
   * Prints only the routes of one method.
   *
   * @default all methods
   */
  method?: HttpMethod
  /**
   * Prints what routes carry: `true` for everything, a list for the keys in it.
   *
   * @default false
   */
  includeMeta?: boolean | (string | symbol)[]
  /**
   * Groups routes by the prefix that their paths share; `false` prints each path in full.
   *
   * @default true
   */
  commonPrefix?: boolean
  /**
   * Prints the hooks of each route.
   *
   * @default false
   */
  includeHooks?: boolean
}

/** The members of an instance that show its routes and plugins. */
export interface InspectionMembers {
  /** Returns the routes as a tree, in text. */
  printRoutes(options?: PrintRoutesOptions): string
  /** Returns the plugins as a tree, in text, with the time that each took to load, in milliseconds. */
  printPlugins(): string
  /**
   * Returns the contexts and plugins of the app, with what each adds, where, and how long it took to load: frozen JSON.
   * Before `ready` it has what is loaded so far.
   *
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const app = cloister()
   * await app.ready()
   * console.log(app.explain().contexts.tookMs)
   * ```
   */
  explain(): AppDescription
  /**
   * Returns what requests of one route run and use, and where each part was defined: frozen JSON. For a URL without a
   * route, the nearest routes and why each does not match.
   *
   * @param method - the method, as in `'GET'`
   * @param url - a path of a request (`/users/7`) or of a route (`/users/:id`)
   * @param constraints - the values of constraints that the request would have, as in `{ version: '1.2.0' }`
   * @throws `CLO_ERR_EXPLAIN_NOT_READY` before `ready`
   * @throws `CLO_ERR_EXPLAIN_INVALID` when the method or the URL is no string
   *
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const app = cloister()
   * app.get('/users/:id', () => 'ok')
   * await app.ready()
   * const found = app.explain('GET', '/users/7')
   * if (found.kind === 'route') console.log(found.url, found.callSite)
   * ```
   */
  explain(method: string, url: string, constraints?: RouteConstraints): RouteExplanation | MissingRoute
}
