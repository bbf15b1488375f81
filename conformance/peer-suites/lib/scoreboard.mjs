// The output of a run: a line for each file, the totals, and the same as a table for the documentation.

/** @typedef {import('./run-file.mjs').FileResult} FileResult */
/** @typedef {import('./differences.mjs').Explanation} Explanation */
/** @typedef {FileResult & Explanation} Row */
/** @typedef {{ file: string, parts: string }} PrivateFile */

/** @param {readonly Row[]} rows */
export function totals(rows) {
  const green = rows.filter(({ failures }) => failures.length === 0).length
  const passed = rows.reduce((sum, row) => sum + row.passed, 0)
  const failed = rows.reduce((sum, row) => sum + row.failures.length, 0)
  const unexplained = rows.reduce((sum, row) => sum + row.unexplained.length, 0)
  return { files: rows.length, green, passed, failed, unexplained }
}

/** @param {Row} row @returns {string} */
export function formatRow({ file, passed, failures, unexplained }) {
  const mark = failures.length === 0 ? 'ok  ' : unexplained.length === 0 ? 'diff' : 'FAIL'
  return `${mark} ${String(passed).padStart(5)} ${String(failures.length).padStart(4)}  ${file}`
}

/** @param {readonly Row[]} rows @param {readonly PrivateFile[]} privates @returns {string} */
export function formatTotals(rows, privates) {
  const { files, green, passed, failed, unexplained } = totals(rows)
  const share = ((100 * passed) / Math.max(1, passed + failed)).toFixed(2)
  return [
    `files: ${files} run, ${green} without a failure, ${privates.length} private (not run)`,
    `assertions: ${passed} passed, ${failed} failed (${share} % passed), ${unexplained} of them without a reason`,
  ].join('\n')
}

/** How many failures have which reason, the most frequent first. @param {readonly Row[]} rows */
export function countReasons(rows) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { reasons } of rows) {
    for (const [reason, count] of reasons) counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** @param {readonly Row[]} rows @returns {string} */
export function formatReasons(rows) {
  return countReasons(rows)
    .map(([reason, count]) => `${String(count).padStart(5)}  ${reason}`)
    .join('\n')
}

/** @param {readonly Row[]} rows @param {readonly PrivateFile[]} privates @returns {string} Markdown */
export function formatMarkdown(rows, privates) {
  const cell = (/** @type {Row} */ row) =>
    [...row.reasons].map(([reason, count]) => `${count}: ${reason}`).join('; ')
  return [
    '| file | passed | failed | reasons |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.file} | ${row.passed} | ${row.failures.length} | ${cell(row)} |`),
    '',
    '| private file | what it loads of the peer |',
    '|---|---|',
    ...privates.map(({ file, parts }) => `| ${file} | ${parts} |`),
    '',
    '| failures | reason |',
    '|---|---|',
    ...countReasons(rows).map(([reason, count]) => `| ${count} | ${reason} |`),
  ].join('\n')
}
