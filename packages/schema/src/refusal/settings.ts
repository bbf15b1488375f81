import type { Options } from 'ajv'
import type { CoercionMode } from '../runtime/coerce.ts'
import { baselineAjvOptions } from '../validator/ajv/baseline.ts'

/** The options of Ajv that refusals follow. */
export interface RefusalSettings {
  readonly coercion: CoercionMode
  readonly defaults: boolean
  readonly remove: boolean | 'all'
  readonly allErrors: boolean
  /** The most errors to report; undefined leaves it to `allErrors`. */
  readonly errorLimit: number | undefined
  /** A union removes what no matching branch takes, and no branch removes anything by itself. */
  readonly removesByBranch: boolean
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

/** Options of the engine that Ajv does not have. */
export type OwnSettings = Partial<Pick<RefusalSettings, 'errorLimit' | 'removesByBranch'>>

/** Reads the options once; those that no acceptor follows are not among them. */
export function readRefusalSettings(customOptions: Options = {}, own: OwnSettings = {}): RefusalSettings {
  const options = { ...baselineAjvOptions, ...customOptions }
  const { coerceTypes, removeAdditional, inlineRefs, loopRequired, strict, strictNumbers } = options
  return {
    coercion: coerceTypes === 'array' ? 'array' : coerceTypes === true,
    defaults: options.useDefaults === true,
    remove: removeAdditional === 'all' ? 'all' : removeAdditional === true,
    allErrors: options.allErrors === true,
    errorLimit: options.allErrors === true ? undefined : own.errorLimit,
    removesByBranch: own.removesByBranch === true && removeAdditional === true,
    verbose: options.verbose === true,
    messages: options.messages !== false,
    finiteNumbers: Boolean(strictNumbers ?? strict ?? true),
    inlineRefs: inlineRefs ?? true,
    loopRequired: loopRequired ?? 200,
  }
}
