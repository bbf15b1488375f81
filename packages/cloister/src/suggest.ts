import { nearestNames } from '@cloister/schema/internal'

/**
 * Returns a hint for an unknown name, such as `; did you mean 'bodyLimit'?`, or an empty string if no known name is
 * similar.
 *
 * @param within - how many letters may be missing, wrong, too many or swapped
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  within: number = Math.max(2, Math.floor(name.length / 3)),
): string {
  const [best] = nearestNames(name, known, within)
  return best === undefined ? '' : `; did you mean '${best}'?`
}
