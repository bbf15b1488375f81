import { createHash } from 'node:crypto'

import { StateError } from './errors.ts'
import { RULES, shown, type Rule } from './options.ts'

/** Keys that are stored as they are. Hashes begin with `#`, which such a key does not. */
const PLAIN = /^[!-"$-~][!-~]{0,199}$/

/** The most bytes of a value. */
const MAX_BYTES = 1_048_576

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
  check('key', RULES.text, key)
  // As JSON, lone surrogates are not equal to each other: in UTF-8 they would be.
  return PLAIN.test(key) ? key : `#${hashOf(JSON.stringify(key))}`
}

/** @throws StateError `CLO_ERR_STATE_VALUE` */
export function assertValue(value: string): void {
  const problem =
    typeof value !== 'string'
      ? `must be a text, not ${shown(value)}`
      : Buffer.byteLength(value) > MAX_BYTES
        ? `has more than ${MAX_BYTES} bytes`
        : /[\0\p{Surrogate}]/u.test(value)
          ? 'has U+0000 or a lone surrogate, which not every store keeps; use JSON.stringify'
          : null
  if (problem !== null) throw new StateError('CLO_ERR_STATE_VALUE', `the value of a state ${problem}`)
}

/** @throws StateError `CLO_ERR_STATE_OPTION` for an argument that its rule does not accept */
export function check(name: string, { wanted, accepts }: Rule, value: unknown): void {
  if (accepts(value)) return
  const message = `the ${name} of a state must be ${wanted}, not ${shown(value)}`
  throw new StateError('CLO_ERR_STATE_OPTION', message)
}
