/** From this number of properties on, an object with fewer keys is read by its keys. */
export const MANY_PROPERTIES = 64

/** How many groups fit in the bits of one number. */
export const MAX_GROUPS = 31

/**
 * Creates a function that returns which groups of names an object may have, one bit each. Reading a hundred missing
 * properties takes longer than looking up the few existing ones, especially if each object has other keys.
 */
export function createGroupFinder(groups: readonly (readonly string[])[]): (object: object) => number {
  const bits = new Map(groups.flatMap((names, index) => names.map((name) => [name, 1 << index] as const)))
  return (object) => {
    // Another prototype may have them.
    if (Object.getPrototypeOf(object) !== Object.prototype) return -1
    const keys = Object.keys(object)
    if (keys.length >= bits.size / 2) return -1
    let found = 0
    for (const key of keys) found = found | (bits.get(key) ?? 0)
    return found
  }
}
