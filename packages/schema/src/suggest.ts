const MAX_HINTS = 3

/** Returns the edit distance (insert, delete, replace, swap neighbours). */
function distance(left: string, right: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const current = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1]
      let best = Math.min(
        (current[j - 1] ?? 0) + 1,
        (previous[j] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      )
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1)
      }
      current.push(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length] ?? 0
}

/**
 * Returns the candidates that are most similar to `wanted`, best first; empty if none is close.
 *
 * @param limit - the maximum number of edits between `wanted` and a candidate
 */
export function nearestNames(
  wanted: string,
  candidates: Iterable<string>,
  limit: number = Math.max(1, Math.floor(wanted.length / 3)),
): string[] {
  const lower = wanted.toLowerCase()
  const scored: { candidate: string; score: number }[] = []
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue
    const score = distance(lower, candidate.toLowerCase())
    if (score <= limit) scored.push({ candidate, score })
  }
  scored.sort((a, b) => a.score - b.score)
  const [best] = scored
  return scored
    .filter(({ score }) => best !== undefined && score <= best.score + 1)
    .slice(0, MAX_HINTS)
    .map(({ candidate }) => candidate)
}
