import { createHash } from 'node:crypto'

import { StateError } from './errors.ts'
import { RULES, shown } from './options.ts'

/** Keys that are stored as they are. Hashes begin with `#`, which such a key does not. */
const PLAIN = /^[!-"$-~][!-~]{0,199}$/

/** The most bytes of a value. */
const MOST_BYTES = 1_048_576

/** Whether a text has no lone surrogates, which would all become U+FFFD in UTF-8. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** Returns the SHA-256 hash of a text in 43 characters. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * Returns the stored form of a key: itself if it is short and printable, otherwise its hash. So no key is too long,
 * spells a command, or is equal to another in a store that folds or cuts text.
 *
 * @throws StateError `CLO_ERR_STATE_OPTION` for an empty key
 */
export function storedKey(key: string): string {
  if (typeof key !== 'string' || key === '') throw invalid('key', RULES.text.wanted, key)
  return PLAIN.test(key) ? key : `#${hashOf(isWellFormed(key) ? key : JSON.stringify(key))}`
}

/** @throws StateError `CLO_ERR_STATE_VALUE` */
export function assertValue(value: string): void {
  const problem =
    typeof value !== 'string'
      ? `must be a text, not ${shown(value)}`
      : Buffer.byteLength(value) > MOST_BYTES
        ? `has more than ${MOST_BYTES} bytes`
        : value.includes('\0') || !isWellFormed(value)
          ? 'has U+0000 or a lone surrogate, which not every store keeps; use JSON.stringify'
          : null
  if (problem !== null) throw new StateError('CLO_ERR_STATE_VALUE', `the value of a state ${problem}`)
}

/** Creates the error of a wrong argument. */
export function invalid(name: string, wanted: string, given: unknown): StateError {
  return new StateError(
    'CLO_ERR_STATE_OPTION',
    `the ${name} of a state must be ${wanted}, not ${shown(given)}`,
  )
}
