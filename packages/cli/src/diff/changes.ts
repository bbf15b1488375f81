/** Whether fewer values are valid than before, or more; a change of a keyword may do both. */
export type Effect = 'narrowed' | 'widened'

/** One change that breaks clients, or may break some. */
export interface Change {
  /** An `error` breaks clients that follow the old document; a `warning` breaks those that rely on more. */
  readonly level: 'error' | 'warning'
  readonly check: string
  /** Method and path, as in `GET /users/{id}`; a name for changes outside of operations. */
  readonly operation: string
  /** The part of the operation and the location in its schema, as in `request body /name`. */
  readonly where: string
  readonly message: string
  /** `file:line` of the route; `null` when a document is compared. */
  readonly callSite: string | null
}

export type Report = (change: Pick<Change, 'level' | 'check' | 'where' | 'message'>) => void
