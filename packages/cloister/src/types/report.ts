/** What `strict` would refuse: the name of the option that would refuse it. */
export type StrictReason =
  | 'integers'
  | 'bodyText'
  | 'duplicateNames'
  | 'unknownEncodings'
  | 'coerceJsonBodies'
  | 'unionRemoval'
  | 'serialization'
  | 'validateResponses'
  | 'undeclaredStatuses'
  | 'handlerTimeout'
  | 'unknownRouteOptions'
  | 'undefinedHooks'
  | 'refusedDefaults'

/** What `strict` would refuse of one route, since the app was made. */
export interface StrictRouteReport {
  /** The method of the route. */
  readonly method: string
  /** The path of the route, such as `/users/:id`. */
  readonly url: string
  /** `file:line` of the definition. */
  readonly callSite: string
  /** The requests that were valid without `strict`, so that the handler or a hook before it got them. */
  readonly requests: number
  /** Whether `strict` would have refused nothing so far. A route without requests is safe too. */
  readonly safe: boolean
  /**
   * How many requests or responses each option would refuse, by its name; those without any are absent. A request
   * counts once per option. An option of the route that `strict` refuses at boot counts as one.
   */
  readonly counts: Readonly<Partial<Record<StrictReason, number>>>
  /** The first error of each option, as `strict` would send or log it. */
  readonly examples: Readonly<Partial<Record<StrictReason, string>>>
}

/** What `strict` would refuse in an app with `strict: 'report'`. */
export interface StrictReport {
  /** Whether `strict` would have refused nothing so far. */
  readonly safe: boolean
  /** The options of the app that `strict` refuses at boot, as sentences. */
  readonly app: readonly string[]
  /** The routes, in the order of their definition. */
  readonly routes: readonly StrictRouteReport[]
  /** Returns the report as text: a line for each route and reason, and `safe to switch` for routes without any. */
  toString(): string
}
