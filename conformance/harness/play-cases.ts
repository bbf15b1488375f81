// Plays random cases, some of them at once.

/** A case with what is wrong with it. */
export interface Found<Case> {
  readonly index: number
  readonly findings: readonly string[]
  readonly given: Case
}

/**
 * Plays cases.
 *
 * @param play - returns what is wrong with a case
 * @returns the cases with findings
 */
export async function playCases<Case>(
  cases: readonly Case[],
  atOnce: number,
  play: (given: Case, index: number) => Promise<readonly string[]>,
): Promise<Found<Case>[]> {
  const found: Found<Case>[] = []
  const waiting = cases.entries()
  const work = async (): Promise<void> => {
    for (const [index, given] of waiting) {
      const findings = await play(given, index)
      if (findings.length > 0) found.push({ index, findings, given })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}
