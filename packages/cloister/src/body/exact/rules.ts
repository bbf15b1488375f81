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

/** The options of an app with these rules. */
export type ExactOptions = Pick<AppOptions, 'bodyText' | 'duplicateNames' | 'integers'>

/** Returns the rules of an app; `null` if it has none. */
export function exactRules({ bodyText, duplicateNames, integers }: ExactOptions): ExactRules | null {
  const rules = {
    text: bodyText === 'utf-8',
    names: duplicateNames === 'refuse',
    numbers: integers !== 'number',
  }
  return rules.text || rules.names || rules.numbers ? rules : null
}

/** Pointers contain names from the client. */
const MOST_POINTER_LENGTH = 200

/**
 * Creates the error about input that could be read in two ways.
 *
 * @param part - the part of the request
 * @param pointer - the position in it, as a JSON pointer
 */
export function inexact(part: string, pointer: string, problem: string): CloisterError {
  const shown = pointer.length > MOST_POINTER_LENGTH ? `${pointer.slice(0, MOST_POINTER_LENGTH)}…` : pointer
  return createError('INPUT_INEXACT', { part, pointer: shown, problem })
}

/** Whether an error is one of {@link inexact}. */
export function isInexact(error: unknown): error is CloisterError {
  return error instanceof CloisterError && error.code.endsWith('INPUT_INEXACT')
}
