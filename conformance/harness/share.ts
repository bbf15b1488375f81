// Suites that are split: `npm test` runs a share of their cases, `npm run check` also runs the rest. A plain `npx
// vitest run FILE` runs both.

/** The projects of `vitest.config.ts` set this; without it, everything runs. */
const share = process.env['CLOISTER_SHARE']
if (share !== undefined && share !== 'quick' && share !== 'rest')
  throw new Error(`CLOISTER_SHARE must be "quick" or "rest", not ${JSON.stringify(share)}`)

/** Returns the cases for this run: the quick ones, the others, or all. */
export function shareOf<T>(cases: readonly T[], isQuick: (one: T, index: number) => boolean): readonly T[] {
  if (share === undefined) return cases
  return cases.filter((one, index) => isQuick(one, index) === (share === 'quick'))
}
