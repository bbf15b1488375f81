/** The least CPU time of a few runs, in microseconds. */
function leastTime(run: () => unknown): number {
  let least = Infinity
  for (let round = 0; round < 4; round++) {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, user + system)
  }
  return least
}

/** Runs that take less than this are too short to compare. */
const SHORT = 1000

/**
 * The power of the size with which the time of a run grows: 1 is linear, 2 quadratic. It is a ratio of two CPU times,
 * which a busy machine changes alike; 0 when even the large run is too short to measure.
 */
export function growthOf(run: (size: number) => unknown, size: number, factor: number): number {
  const large = leastTime(() => run(size * factor))
  if (large < SHORT) return 0
  const small = Math.max(
    leastTime(() => run(size)),
    SHORT / 20,
  )
  return Math.log(large / small) / Math.log(factor)
}
