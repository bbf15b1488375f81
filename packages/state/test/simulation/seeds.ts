/** A schedule that broke an invariant, and how it is repeated. */
export interface Failure {
  readonly seed: number
  readonly problems: readonly string[]
}

/** What many schedules came to: those with a problem, and the sums of what was counted. */
export interface Summary {
  readonly failures: readonly Failure[]
  readonly sums: Readonly<Record<string, number>>
}

/** Runs schedules with the seeds from a first one on. */
export async function simulateSeeds(
  simulate: (seed: number) => Promise<{ readonly problems: readonly string[] }>,
  first: number,
  count: number,
): Promise<Summary> {
  const failures: Failure[] = []
  const sums: Record<string, number> = {}
  for (let seed = first; seed < first + count; seed++) {
    const { problems, ...counts } = await simulate(seed)
    if (problems.length > 0) failures.push({ seed, problems })
    for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + Number(value)
  }
  return { failures, sums }
}

/**
 * Runs schedules until one has a problem that matches, and returns its problems; otherwise those of all. They are the same
 * in each run: a schedule that shows a rare fault may be far from a drawn seed.
 */
export async function firstProblem(
  simulate: (seed: number) => Promise<{ readonly problems: readonly string[] }>,
  most: number,
  wanted: RegExp,
): Promise<string> {
  const found: string[] = []
  for (let seed = 1; seed <= most; seed++) {
    const text = (await simulate(seed)).problems.join('\n')
    if (wanted.test(text)) return text
    found.push(text)
  }
  return found.join('\n')
}

/** Says how a failure is repeated. */
export const shown = ({ seed, problems }: Failure): string => `CLOISTER_SEED=${seed}: ${problems.join('; ')}`
