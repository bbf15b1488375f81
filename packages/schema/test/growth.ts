/** The least CPU time of a few rounds, in microseconds; each round runs as often as told. */
function leastTime(run: () => unknown, repeats: number = 1): number {
  let least = Infinity
  for (let round = 0; round < 4; round++) {
    const start = process.cpuUsage()
    for (let repeat = 0; repeat < repeats; repeat++) run()
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, user + system)
  }
  return least
}

/** Runs that take less than this are too short to compare. */
const SHORT = 1000
/** Rounds shorter than this are repeated, because a clock tick would count for much. */
const LONG = 8000

/** So many times a growth is measured before it counts: other threads of the process use CPU time, too. */
const ATTEMPTS = 8
/** A growth up to this is no reason to measure again. */
const USUAL = 1.2

/**
 * The power of the size with which the time of a run grows: 1 is linear, 2 quadratic. It is a ratio of two CPU times,
 * which a busy machine changes alike, and the least of some attempts; 0 when even the large run is too short to measure.
 */
export function growthOf(run: (size: number) => unknown, size: number, factor: number): number {
  let least = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && least > USUAL; attempt++) {
    least = Math.min(least, measureGrowth(run, size, factor))
  }
  return least
}

function measureGrowth(run: (size: number) => unknown, size: number, factor: number): number {
  const first = leastTime(() => run(size * factor))
  if (first < SHORT) return 0
  const repeats = Math.ceil(LONG / first)
  const large = repeats === 1 ? first : leastTime(() => run(size * factor), repeats)
  const small = Math.max(
    leastTime(() => run(size), repeats),
    SHORT / 20,
  )
  return Math.log(large / small) / Math.log(factor)
}
