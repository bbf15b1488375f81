// What Stryker's report says, without line numbers: code that moves keeps its reasons.

/**
 * @typedef {{ file: string, line: number, code: string, replacement: string, status: string }} Mutant
 *
 * @typedef {{ file: string, code: string, replacement: string, reason: string }} Accepted
 *
 * @typedef {{ source: string, mutants: readonly { status: string, replacement?: string, location: { start: Point, end: Point } }[] }} ReportedFile
 *
 * @typedef {{ line: number, column: number }} Point
 */

/** @param {Readonly<Record<string, ReportedFile>>} files @returns {Mutant[]} */
export function readMutants(files) {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, replacement = '', location: { start, end } }) => ({
      file,
      line: start.line,
      code: oneLine(textBetween(source, start, end)),
      replacement: oneLine(replacement),
      status,
    })),
  )
}

/** Those that no test has seen. @param {readonly Mutant[]} mutants */
export function survivorsOf(mutants) {
  return mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
}

/** @param {readonly Accepted[]} accepted @param {Mutant} mutant */
export function findReason(accepted, { file, code, replacement }) {
  return accepted.find(
    (entry) => entry.file === file && entry.code === code && entry.replacement === replacement,
  )?.reason
}

/**
 * The accepted ones that a test has killed, or that are not made any more, in the files that were changed.
 *
 * @param {readonly Accepted[]} accepted
 * @param {readonly Mutant[]} mutants
 */
export function findStale(accepted, mutants) {
  const files = new Set(mutants.map(({ file }) => file))
  const survivors = survivorsOf(mutants)
  return accepted.filter(
    (entry) =>
      files.has(entry.file) && !survivors.some((mutant) => findReason([entry], mutant) !== undefined),
  )
}

/** Killed, timed out and survived of each file, as rows of a table. @param {readonly Mutant[]} mutants */
export function formatFiles(mutants) {
  const files = [...new Set(mutants.map(({ file }) => file))].toSorted()
  const rows = files.map((file) => {
    const own = mutants.filter((mutant) => mutant.file === file)
    const count = (/** @type {readonly string[]} */ ...wanted) =>
      own.filter(({ status }) => wanted.includes(status)).length
    return `| ${file} | ${count('Killed')} | ${count('Timeout')} | ${count('Survived', 'NoCoverage')} |`
  })
  return [
    '| file | killed by a test | killed by time | survived |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/** @param {string} source @param {Point} start @param {Point} end */
function textBetween(source, start, end) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n')
}

/** @param {string} text */
const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim()
