// The differences of a line: accepted failures, each with its reason. The run reports a failure that is not in the
// table.

/** @typedef {import('./run-file.mjs').FileResult} FileResult */
/**
 * @typedef {object} Difference
 * @property {string} file
 * @property {string | readonly string[]} [tests] how the names of the tests begin; all of the file without it
 * @property {string} reason
 * @property {boolean} [neverEnds] the tests, by their whole names, that would keep those after them from running: they
 *   are left out, and count as one failure each
 * @property {boolean} [mayPass] the tests fail only where they lose a race
 */
/** @typedef {{ reasons: Map<string, number>, unexplained: FileResult['failures'] }} Explanation */

/** @param {Difference} difference @param {string} test */
function covers({ tests }, test) {
  if (tests === undefined) return true
  return [tests].flat().some((start) => test.startsWith(start))
}

/** @param {FileResult} result @param {readonly Difference[]} differences @returns {Explanation} */
export function explain(result, differences) {
  const ofFile = differences.filter(({ file }) => file === result.file)
  /** @type {Map<string, number>} */
  const reasons = new Map()
  const unexplained = []
  for (const failure of result.failures) {
    const found = ofFile.find((difference) =>
      covers(difference, [failure.test, failure.assertion].filter((name) => name !== '').join(' > ')),
    )
    if (found === undefined) unexplained.push(failure)
    else reasons.set(found.reason, (reasons.get(found.reason) ?? 0) + 1)
  }
  return { reasons, unexplained }
}

/** The rows of a table that cover no failure of the files that ran: the reason is gone.
 * @param {readonly FileResult[]} results @param {readonly Difference[]} differences @returns {string[]} */
export function idle(results, differences) {
  const failures = new Map(
    results.map(({ file, failures: all }) => [
      file,
      all.map(({ test, assertion }) => [test, assertion].filter((name) => name !== '').join(' > ')),
    ]),
  )
  return differences.flatMap(({ file, tests, mayPass }) => {
    const names = failures.get(file)
    if (names === undefined || mayPass === true) return []
    return [tests ?? '']
      .flat()
      .filter((start) => !names.some((name) => name.startsWith(start)))
      .map((start) => `${file}: ${start}`)
  })
}

/** The names of the tests of a file that are left out. @param {string} file @param {readonly Difference[]} differences */
export function leftOut(file, differences) {
  return differences
    .filter((difference) => difference.file === file && difference.neverEnds === true)
    .flatMap(({ tests }) => tests ?? [])
}

/** Tests of a file by how their names begin. @param {string} file @param {string} reason @param {...string} tests */
export const differ = (file, reason, ...tests) => ({ file: `${file}.test.js`, reason, tests })

/** Tests that fail only where they lose a race. @param {string} file @param {string} reason @param {...string} tests */
export const differAtTimes = (file, reason, ...tests) => ({
  ...differ(file, reason, ...tests),
  mayPass: true,
})

/** A file with all its tests. @param {string} file @param {string} reason */
export const allOf = (file, reason) => ({ file: `${file}.test.js`, reason })

/** Tests, by their whole names, which would keep those after them from running.
 * @param {string} file @param {string} reason @param {...string} tests */
export const endless = (file, reason, ...tests) => ({
  file: `${file}.test.js`,
  reason,
  tests,
  neverEnds: true,
})
