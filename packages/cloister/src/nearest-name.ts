/** The edit distance of two short names (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}

/**
 * A hint for a name that is not known, from those at most `within` edits away: `; did you mean 'bodyLimit'?`, or nothing when no known name is near.
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  within: number = Math.max(2, Math.floor(name.length / 3)),
): string {
  let best = ''
  let bestDistance = within + 1
  for (const candidate of known) {
    const d = distance(name.toLowerCase(), candidate.toLowerCase())
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best === '' ? '' : `; did you mean '${best}'?`
}
