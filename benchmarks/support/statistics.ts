/** The middle value of a list, the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  if (sorted.length % 2 === 1) return upper
  return ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The smallest value of a list: what a subject costs when the neighbours of a shared machine disturb it least. */
export function least(values: readonly number[]): number {
  return Math.min(...values)
}

/** The geometric mean of ratios: a gain of 2x and a loss of 2x cancel out. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** A list turned by `turns` places, so that no subject is always the first of a round. */
export function rotate<T>(list: readonly T[], turns: number): T[] {
  const start = list.length === 0 ? 0 : turns % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}
