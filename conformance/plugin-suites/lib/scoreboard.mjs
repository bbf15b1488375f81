// The output of a run: a line for each file, the plugins as a table for the documentation, the totals.
import { versionOf } from './scratch.mjs'

/** @typedef {import('../../peer-suites/lib/run-file.mjs').FileResult} FileResult */
/** @typedef {import('../../peer-suites/lib/differences.mjs').Explanation} Explanation */
/** @typedef {FileResult['failures'][number]} Failure */
/**
 * @typedef {Explanation & { plugin: string, fastify: FileResult, cloister: FileResult, failures: readonly Failure[] }} Row
 *   `failures`: those of Cloister that Fastify does not have
 */

/** Whether the same assertion fails there, too. @param {FileResult} reference @param {Failure} failure */
export function failsOn(reference, { test, assertion }) {
  return reference.failures.some((other) => other.test === test && other.assertion === assertion)
}

/** @param {readonly Row[]} rows */
export function totals(rows) {
  const sum = (/** @type {(row: Row) => number} */ count) =>
    rows.reduce((total, row) => total + count(row), 0)
  return {
    plugins: new Set(rows.map(({ plugin }) => plugin)).size,
    files: rows.length,
    fastify: [sum((row) => row.fastify.passed), sum((row) => row.fastify.failures.length)],
    cloister: [sum((row) => row.cloister.passed), sum((row) => row.cloister.failures.length)],
    own: sum((row) => row.failures.length),
    unexplained: sum((row) => row.unexplained.length),
  }
}

/** @param {Row} row @returns {string} */
export function formatFile({ fastify, cloister, failures, unexplained }) {
  const mark = failures.length === 0 ? 'ok  ' : unexplained.length === 0 ? 'diff' : 'FAIL'
  const counts = [fastify.passed, fastify.failures.length, cloister.passed, failures.length]
  return `${mark} ${counts.map((count) => String(count).padStart(5)).join('')}  ${cloister.file}`
}

/** @param {readonly Row[]} rows @returns {string} */
export function formatTotals(rows) {
  const { plugins, files, fastify, cloister, own, unexplained } = totals(rows)
  return [
    `plugins: ${plugins}, files: ${files}`,
    `Fastify:  ${fastify[0]} assertions passed, ${fastify[1]} failed`,
    `Cloister: ${cloister[0]} assertions passed, ${cloister[1]} failed, ${own} of them not on Fastify, ${unexplained} of these without a reason`,
  ].join('\n')
}

/** @param {readonly Row[]} rows @returns {string} Markdown */
export function formatPlugins(rows) {
  const names = [...new Set(rows.map(({ plugin }) => plugin))]
  const lines = names.map((name) => {
    const own = rows.filter(({ plugin }) => plugin === name)
    const { files, fastify, cloister } = totals(own)
    const reasons = own.flatMap((row) => [...row.reasons])
    const texts = [...new Set(reasons.map(([reason]) => reason))].map((reason) => {
      const count = reasons.reduce((sum, [other, number]) => sum + (other === reason ? number : 0), 0)
      return `${count}: ${reason}`
    })
    return `| ${name} ${versionOf(name)} | ${files} | ${fastify.join(' / ')} | ${cloister.join(' / ')} | ${texts.join('; ')} |`
  })
  return [
    '| plugin | files | Fastify 4.29.1, passed / failed | Cloister, passed / failed | why |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}
