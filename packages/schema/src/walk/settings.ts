import type { ExactIntegers } from '../document/json-types.ts'
import type { CoercionMode } from '../runtime/coerce.ts'

/** The options of Ajv that walks follow. */
export interface WalkSettings {
  readonly coercion: CoercionMode
  readonly defaults: boolean
  readonly remove: boolean | 'all'
  readonly allErrors: boolean
  /** The maximum number of errors; if undefined, `allErrors` decides. */
  readonly errorLimit: number | undefined
  /** Whether a union removes what no matching branch declares, and no branch removes anything by itself. */
  readonly removesByBranch: boolean
  /** Whether the errors of the branches of a union must be distinguishable. */
  readonly narrowsUnions: boolean
  /** Errors carry the schema and the value. */
  readonly verbose: boolean
  readonly messages: boolean
  /** Whether infinities are no numbers. */
  readonly finiteNumbers: boolean
  /** Which integers must be safe ones. */
  readonly exactIntegers: ExactIntegers
  /** Decides which referenced schemas count as inlined; errors name those by the reference. */
  readonly inlineRefs: boolean | number
  /** From this length on, a list of required names includes the empty name. */
  readonly loopRequired: number
}
