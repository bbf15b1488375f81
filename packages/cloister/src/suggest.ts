import { nearestNames } from '@cloister/schema'

/**
 * A hint for a name that is not known: `; did you mean 'bodyLimit'?`, or nothing when no known name is near.
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
