/**
 * Merges names into a `Vary` field (RFC 9110 section 12.5.5): each name once, whatever its case. `*` stays alone.
 *
 * @param field - the field so far
 */
export function mergeVary(field: unknown, names: Iterable<string>): string {
  const given = [field ?? []].flat().flatMap((line) => String(line).split(','))
  const merged = new Map<string, string>()
  for (const name of [...given, ...names].map((one) => one.trim())) {
    if (name === '*') return '*'
    if (name !== '' && !merged.has(name.toLowerCase())) merged.set(name.toLowerCase(), name)
  }
  return [...merged.values()].join(', ')
}
