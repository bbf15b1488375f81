// Reads the Test Anything Protocol as the suites of the peer write it: nested by indentation, four columns a level.
// What counts is the innermost: an assertion for `tap`, a test for `node:test`. A line that sums up a subtest does
// not count again, unless it failed for a reason that no line within it tells (a plan that was not met, say).

/**
 * @typedef {object} Failure
 * @property {string} test names of the tests around it, outermost first, joined by ' > '
 * @property {string} assertion
 */
/** @typedef {{ passed: number, skipped: number, failures: readonly Failure[] }} TapResult */

const POINT =
  /^(?<indent> *)(?<not>not )?ok \d+(?: - (?<name>.*?))?(?<directive>\s+# (?:SKIP|TODO)\b.*)?\s*(?:# time=\S+)?\s*\{?$/iu
const DEPTH = 4

/** @param {string} text @returns {TapResult} */
export function readTap(text) {
  let passed = 0
  let skipped = 0
  /** Points seen below the one that is being read, by depth; they belong to the next point one level up.
   * @type {Map<number, { points: number, failures: Failure[] }>} */
  const pending = new Map()
  /** @type {Failure[]} */
  const roots = []
  let diagnosticEnd = ''
  for (const line of text.split('\n')) {
    if (diagnosticEnd !== '') {
      if (line === diagnosticEnd) diagnosticEnd = ''
      continue
    }
    const diagnostic = /^( +)---$/u.exec(line)
    if (diagnostic !== null) {
      diagnosticEnd = `${diagnostic[1] ?? ''}...`
      continue
    }
    const groups = POINT.exec(line)?.groups
    if (groups === undefined) continue
    const depth = Math.floor((groups['indent'] ?? '').length / DEPTH)
    const name = (groups['name'] ?? '').replace(/ # time=.*$/u, '').replaceAll('\\#', '#')
    const failed = groups['not'] !== undefined
    const within = pending.get(depth + 1)
    pending.delete(depth + 1)
    const own = pending.get(depth) ?? { points: 0, failures: [] }
    pending.set(depth, own)
    own.points++
    const isSummary = within !== undefined && within.points > 0
    const found = isSummary
      ? within.failures.map(({ test, assertion }) => ({
          test: test === '' ? name : `${name} > ${test}`,
          assertion,
        }))
      : []
    if (groups['directive'] !== undefined) skipped++
    else if (failed && found.length === 0)
      found.push({ test: isSummary ? name : '', assertion: isSummary ? 'as a whole' : name })
    else if (!failed && !isSummary) passed++
    if (depth === 0) roots.push(...found)
    else own.failures.push(...found)
  }
  // What was under way when the process ended has no summary of its own.
  for (const { failures } of pending.values()) roots.push(...failures)
  return { passed, skipped, failures: roots }
}
