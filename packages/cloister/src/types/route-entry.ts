/** A route as a chain remembers it: enough to work out, on demand, what it takes and what it answers. */
export interface RouteEntry<Method extends string, Url extends string, Schema> {
  readonly method: Method
  readonly url: Url
  readonly schema: Schema
}

/** Any route. */
export type AnyRoute = RouteEntry<string, string, unknown>
