import { dependencies } from '../dependencies.ts'

/** A quoted text. The last one may have no end. */
const QUOTED = /"([^"]*)(?:"|$)/g
/** What separates types, parameters and words. */
const SEPARATORS = /[\t ,;]/g

/**
 * Returns the media types of an `Accept` field that are offered, the best first.
 *
 * The library gets no quotes: for each piece within them it reads all pieces before again, so a field of 16 KiB would
 * keep the process busy for a tenth of a second.
 */
export function preferredTypes(accept: string, offered: readonly string[]): readonly string[] {
  const plain = accept.replaceAll(QUOTED, (_quoted, text: string) => text.replaceAll(SEPARATORS, '_'))
  return dependencies.preferredMediaTypes()(plain, [...offered])
}
