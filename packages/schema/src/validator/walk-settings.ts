import type { Options } from 'ajv'
import type { WalkSettings } from '../walk/settings.ts'
import { baselineAjvOptions } from './ajv/baseline.ts'

/** Options of the engine that Ajv does not have. */
export type OwnSettings = Partial<Pick<WalkSettings, 'errorLimit' | 'removesByBranch'>>

/** Reads the options once; those that no acceptor follows are not among them. */
export function readWalkSettings(customOptions: Options = {}, own: OwnSettings = {}): WalkSettings {
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
