import { BearerAuthOptionError } from './errors.ts'

// What a client can send after the scheme: visible ASCII, with blanks only in the middle.
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Checks the accepted tokens. Messages contain the position of a key, never the key. */
export function checkKeys(given: unknown): readonly string[] {
  if (!Array.isArray(given) && !(given instanceof Set)) {
    throw new BearerAuthOptionError(
      'CLO_ERR_BEARER_AUTH_INVALID_KEYS_OPTION_TYPE',
      given === undefined
        ? `one of the options 'keys' and 'auth' is needed`
        : `option 'keys' must be an array or a Set of strings`,
    )
  }
  const keys = [...new Set<unknown>(given)].map(checkKey)
  if (keys.length > 0) return keys
  throw empty(`option 'keys' holds no key, so no request could pass; give at least one`)
}

function checkKey(key: unknown, index: number): string {
  if (typeof key !== 'string') {
    throw new BearerAuthOptionError(
      'CLO_ERR_BEARER_AUTH_KEYS_OPTION_INVALID_KEY_TYPE',
      `keys[${index}] must be a string, got ${key === null ? 'null' : typeof key}; is a variable of the ` +
        'environment missing?',
    )
  }
  if (key.trim() === '') throw empty(`keys[${index}] is empty; is a variable of the environment missing?`)
  if (SENDABLE.test(key)) return key
  throw new BearerAuthOptionError(
    'CLO_ERR_BEARER_AUTH_INVALID_OPTION',
    `keys[${index}] has a blank at an end or a character outside of ASCII, so no client could send it`,
  )
}

function empty(problem: string): BearerAuthOptionError {
  return new BearerAuthOptionError('CLO_ERR_BEARER_AUTH_KEYS_OPTION_EMPTY', problem)
}
