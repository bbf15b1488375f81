/** Whether fewer values are valid than before, or more. A keyword may do both. */
export type Effect = 'narrowed' | 'widened'

/** One change that breaks clients, or may break some. */
export interface Change {
  /** An `error` breaks clients that keep to the old document; a `warning` breaks those that rely on more. */
  readonly level: 'error' | 'warning'
  /** The name of the check. */
  readonly check: string
  /** Method and path, as in `GET /users/{id}`; the name of what is outside of operations. */
  readonly operation: string
  /** The part of the operation and the place in its schema, as in `request body /name`. */
  readonly where: string
  readonly message: string
  /** `file:line` of the route; `null` where a document is compared. */
  readonly callSite: string | null
}

/** Collects changes. */
export type Report = (change: Pick<Change, 'level' | 'check' | 'where' | 'message'>) => void
