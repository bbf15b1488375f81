import type { HttpMethod } from '../raw.ts'

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
}
