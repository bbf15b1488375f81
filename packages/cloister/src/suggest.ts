import { nearestNames } from '@cloister/schema/internal'

/**
 * Returns a hint for an unknown name, such as `; did you mean 'bodyLimit'?`, or an empty string if no known name is
 * similar.
 *
 * @param within - how many letters may be missing, wrong, too many or swapped; by default a third, or two
 */
export function nearestName(name: string, known: Iterable<string>, within?: number): string {
  const [best] = nearestNames(name, known, within ?? Math.max(2, Math.floor(name.length / 3)))
  return best === undefined ? '' : `; did you mean '${best}'?`
}
