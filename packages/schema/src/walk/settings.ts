import type { CoercionMode } from '../runtime/coerce.ts'

/** The options of Ajv that walks follow. */
export interface WalkSettings {
  readonly coercion: CoercionMode
  readonly defaults: boolean
  readonly remove: boolean | 'all'
  readonly allErrors: boolean
  /** The most errors to report; undefined leaves it to `allErrors`. */
  readonly errorLimit: number | undefined
  /** A union removes what no matching branch takes, and no branch removes anything by itself. */
  readonly removesByBranch: boolean
  /** It matters which errors are those of the branches of a union. */
  readonly narrowsUnions: boolean
  /** Errors carry the schema and the value. */
  readonly verbose: boolean
  readonly messages: boolean
  /** Infinities are no numbers. */
  readonly finiteNumbers: boolean
  /** Which referenced schemas count as written where the reference is; errors name those by the reference. */
  readonly inlineRefs: boolean | number
  /** From this length on, a list of required names includes the empty name. */
  readonly loopRequired: number
}
