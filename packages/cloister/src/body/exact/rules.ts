import { createError, CloisterError } from '../../errors.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'

/** What a request must not leave to a guess; each rule is an option of the app. */
export interface ExactRules {
  /** text is Unicode: valid UTF-8, without lone surrogates (`bodyText`) */
  readonly text: boolean
  /** an object names each member once (`duplicateNames`) */
  readonly names: boolean
  /** a number is read as it was written (`integers`) */
  readonly numbers: boolean
}

/**
 * The texts of numbers in JSON that are beyond the safe integers, by the object or list that has them, and their name or
 * index in it. With `integers: 'bigint'`, validators of 64-bit integers read them.
 */
export type Literals = WeakMap<object, Map<string, string>>

/** The options of an app with these rules. */
export type ExactOptions = Pick<AppOptions, 'bodyText' | 'duplicateNames' | 'integers'>

/** How an app reads input that is not exact. */
export interface ExactInput extends Pick<AppOptions, ExactOption> {
  /** whether the charset or the coding of a body can be the reason to refuse it */
  readonly judgesEncodings: boolean
  /** throws an error about inexact input; with `strict: 'report'`, it counts the error, and the request continues */
  readonly refuse: Refuse
  /** with `strict: 'report'`, the rules that the app sets itself, whose errors are thrown; otherwise `null` */
  readonly own: ExactRules | null
  /** the texts of numbers in JSON for `integers: 'bigint'`; `null` without it */
  readonly literals: Literals | null
}

const EXACT_OPTIONS = ['bodyText', 'duplicateNames', 'integers', 'unknownEncodings'] as const

/** The options about inexact input. */
export type ExactOption = (typeof EXACT_OPTIONS)[number]

/**
 * @param error - `null` for input that is exact
 * @param request - the request with the input, where it is known
 */
export type Refuse = (error: Error | null, request?: unknown) => void

/** Throws an error about inexact input. */
export const refuseInexact: Refuse = (error) => {
  if (error !== null) throw error
}

/** Names the option that makes an input an error. */
const OPTION = Symbol('cloister.option')

/** Returns an error about inexact input with the name of its option, for {@link optionOf}. */
export function byOption(option: ExactOption, error: CloisterError): CloisterError {
  return Object.defineProperty(error, OPTION, { value: option })
}

/** Returns the option that made an input an error; `null` for other errors. */
export function optionOf(error: unknown): ExactOption | null {
  const option: unknown = error instanceof CloisterError ? Reflect.get(error, OPTION) : null
  return EXACT_OPTIONS.find((name) => name === option) ?? null
}

/** Pointers contain names from the client. */
const MAX_POINTER_LENGTH = 200

/**
 * Creates the error about input that could be read in two ways.
 *
 * @param option - the option that makes it an error
 * @param part - the part of the request
 * @param pointer - the position in it, as a JSON pointer
 */
export function inexact(option: ExactOption, part: string, pointer: string, problem: string): CloisterError {
  const shown = pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}…` : pointer
  return byOption(option, createError('INPUT_INEXACT', { part, pointer: shown, problem }))
}

/** Whether an error is one of {@link inexact}. */
export function isInexact(error: unknown): error is CloisterError {
  return error instanceof CloisterError && error.code.endsWith('INPUT_INEXACT')
}
