/** The tests of a run by name, each with the results of all tests with this name. */
export type TestResults = ReadonlyMap<string, readonly boolean[]>

/** What a runner prints before a test, and whether it has passed. */
const MARKS: readonly (readonly [RegExp, boolean])[] = [
  [/^[✔✓√]\s+(.*)$/, true],
  [/^[✖✗×✘✕]\s+(.*)$/, false],
  [/^ok \d+(?: -)? (.*)$/, true],
  [/^not ok \d+(?: -)? (.*)$/, false],
]

/** How long a test took, in the formats of the runners. */
const LATER = /\s*(?:\(?[\d.]+ ?m?s\)?|# (?:time|SKIP|TODO)\b.*|\{)\s*$/
const DIRECTIVE = /# (?:SKIP|TODO)\b/i
const COLOURS = /\u001B\[[\d;]*m/g

/**
 * Reads the results of single tests from the output of a runner: node:test, tap, AVA, Mocha, Jest and Vitest with
 * `verbose`, in their text formats or as TAP.
 */
export function readResults(output: string): TestResults {
  const results = new Map<string, boolean[]>()
  // Some runners list the failures a second time.
  const [body = ''] = output.replaceAll(COLOURS, '').split(/^\s*(?:✖ failing tests:|\d+ failing)\s*$/m, 1)
  const mochaFailure = /^\d+\) (.*)$/
  for (const line of body.split('\n').map((one) => one.trim())) {
    for (const [mark, passes] of [...MARKS, [mochaFailure, false] as const]) {
      const [, text] = mark.exec(line) ?? []
      if (text === undefined || DIRECTIVE.test(line)) continue
      const name = text.replace(LATER, '').replace(LATER, '')
      results.set(name, [...(results.get(name) ?? []), passes])
    }
  }
  return results
}

export function countPassed(results: TestResults): { readonly passed: number; readonly all: number } {
  const all = [...results.values()].flat()
  return { passed: all.filter(Boolean).length, all: all.length }
}

/** Returns the tests that pass in one run and fail, or are missing, in another. */
export function lostTests(before: TestResults, after: TestResults): string[] {
  return [...before].flatMap(([name, results]) => {
    const passed = results.filter(Boolean).length
    return (after.get(name) ?? []).filter(Boolean).length < passed ? [name] : []
  })
}
