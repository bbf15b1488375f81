import type { CoercerTable } from './coercers.ts'
import type { Definition } from './ir.ts'

/** The consequences of the engine's options for acceptors. */
export interface AcceptorPolicy {
  readonly coercers: CoercerTable
  readonly defaults: boolean
  readonly remove: boolean | 'all'
  /** An undeclared property refuses a branch of a union, which the decider then tries again. */
  readonly removesByBranch: boolean
  /** False with `allErrors`: Ajv then goes on inside a failed branch and may change data there. */
  readonly unions: boolean
  /** Ajv decides about what an acceptor refuses, never a refuser of our own. */
  readonly isAjvDecider: boolean
  /** Shared schemas without references that acceptors have met, by schema; in each list one for each use. */
  readonly shared: WeakMap<object, Definition[]>
}
