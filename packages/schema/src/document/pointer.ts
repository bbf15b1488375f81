import { isPlainObject } from '../guards.ts'

/** Escapes one key as a JSON pointer token. */
export function pointerToken(key: string | number): string {
  if (typeof key === 'number') return String(key)
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** Returns a path as a JSON pointer. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${pointerToken(key)}`).join('')
}

/** Splits a JSON pointer in URI fragment form (`/definitions/a~1b%25`) into keys; undefined if malformed. */
export function pointerKeys(fragment: string): string[] | undefined {
  try {
    return fragment.slice(1).split('/').map(decodeURIComponent).map(pointedKey)
  } catch {
    return undefined
  }
}

/** Returns the target of a JSON pointer, as `#/definitions/a`, in a schema; undefined for other references. */
export function targetWithin(root: unknown, reference: string): unknown {
  const keys = reference.startsWith('#/') ? pointerKeys(reference.slice(1)) : undefined
  return keys?.reduce<unknown>(
    (at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    root,
  )
}

/** Splits a JSON pointer into keys, in the form of an error's `instancePath`, which is not percent-encoded. */
export function instanceKeys(pointer: string): string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/').map(pointedKey)
}

/** Returns the key of a JSON pointer token. */
export function pointedKey(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Longer pointers keep this many characters at each end. */
const POINTER_END_LENGTH = 100

/** Shortens a very long pointer for messages, by omitting its middle. */
export function shortPointer(pointer: string): string {
  if (pointer.length <= 2 * POINTER_END_LENGTH) return pointer
  return `${pointer.slice(0, POINTER_END_LENGTH)}…${pointer.slice(-POINTER_END_LENGTH)}`
}
