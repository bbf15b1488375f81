const SMALL = 65_536
const TIMES = 4
const ATTEMPTS = 8
/** Less CPU time than this, in microseconds, says nothing about growth. */
const MIN_TIME = 20_000

/** Above this, CPU time grows faster than the text that it is spent on. */
export const LINEAR = 1.6

/**
 * Returns with which power of the length of a text CPU time grows, or 0 if it takes hardly any: the least of some attempts, because other threads use
 * CPU time, too.
 *
 * @param work - does the work for a text with this length
 */
export async function growthOf(work: (length: number) => unknown): Promise<number> {
  const timeOf = async (length: number): Promise<number> => {
    const begun = process.cpuUsage()
    await work(length)
    const { user, system } = process.cpuUsage(begun)
    return user + system
  }
  let growth = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && growth > LINEAR; attempt++) {
    const small = await timeOf(SMALL)
    const large = await timeOf(SMALL * TIMES)
    growth = large < MIN_TIME ? 0 : Math.min(growth, Math.log(large / small) / Math.log(TIMES))
  }
  return growth
}

/** Returns a text with this length: a start, and a piece that is repeated. */
export function textOf(start: string, piece: string, length: number): string {
  return (start + piece.repeat(length)).slice(0, length)
}
