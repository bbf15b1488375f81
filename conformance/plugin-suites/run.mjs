// Runs the test suites that the official plugins ship in their packages, as they are, on the built Cloister and on
// Fastify, and prints a scoreboard.
//
//   node conformance/plugin-suites/run.mjs [--jobs 2] [--limit 60] [--verbose] [--markdown]
//     [--checkouts folder] [part of a path …]
//
// `--checkouts` names a folder with clones of plugins whose packages hold no tests, by the names of the packages.
//
// Exit code 1 when a test that passes on Fastify fails on Cloister and is in no table of differences.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { explain } from '../peer-suites/lib/differences.mjs'
import { runFile } from '../peer-suites/lib/run-file.mjs'
import { formatReasons } from '../peer-suites/lib/scoreboard.mjs'
import { differences } from './differences.mjs'
import { createScratch, listPlugins, testFiles } from './lib/scratch.mjs'
import { failsOn, formatFile, formatPlugins, formatTotals, totals } from './lib/scoreboard.mjs'

/** @typedef {import('./lib/scoreboard.mjs').Row} Row */
/** @typedef {import('../peer-suites/lib/run-file.mjs').FileResult} FileResult */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '60' },
    verbose: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    checkouts: { type: 'string' },
  },
})

if (!existsSync(path.join(import.meta.dirname, 'node_modules')))
  throw new Error('the plugins are not installed; run: npm ci --prefix conformance/plugin-suites')

const checkouts = values.checkouts ?? null
const files = listPlugins(checkouts)
  .flatMap((plugin) =>
    testFiles(plugin, checkouts).map((file) => ({ plugin, file: path.posix.join(plugin, file) })),
  )
  .filter(({ file }) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
const plugins = [...new Set(files.map(({ plugin }) => plugin))]
const scratches = {
  cloister: createScratch(plugins, 'cloister', checkouts),
  fastify: createScratch(plugins, 'fastify', checkouts),
}

/** @param {'cloister' | 'fastify'} subject @param {string} plugin @param {string} file @returns {Promise<FileResult>} */
async function ask(subject, plugin, file) {
  const cwd = path.join(scratches[subject], plugin)
  const timeLimitMs = Number(values.limit) * 1000
  const inPackage = path.posix.relative(plugin, file)
  const result = await runFile({ file: inPackage, cwd, command: [], env: { TAP: '1' }, timeLimitMs })
  return { ...result, file }
}

/** @type {Row[]} */
const rows = []
const queue = [...files]

/** @param {string} plugin @param {string} file @returns {Promise<Row>} */
async function askBoth(plugin, file) {
  const fastify = await ask('fastify', plugin, file)
  const cloister = await ask('cloister', plugin, file)
  const failures = cloister.failures.filter((failure) => !failsOn(fastify, failure))
  return { plugin, fastify, cloister, failures, ...explain({ ...cloister, failures }, differences) }
}

/** @param {Row} row */
function show(row) {
  if (values.markdown) return
  console.log(formatFile(row))
  for (const { test, assertion } of row.unexplained) console.log(`       ${test} > ${assertion}`)
  if (values.verbose) console.log(row.cloister.output)
}

async function work() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const row = await askBoth(next.plugin, next.file)
    rows.push(row)
    show(row)
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work))
// Some tests race the clock: failures without a reason run once more, alone.
for (const [index, { plugin, cloister, unexplained }] of rows.entries()) {
  if (unexplained.length === 0) continue
  const row = await askBoth(plugin, cloister.file)
  rows[index] = row
  show(row)
}
rows.sort((a, b) => (a.cloister.file < b.cloister.file ? -1 : 1))
console.log(
  values.markdown
    ? formatPlugins(rows)
    : `\n${formatReasons(rows.map((row) => ({ ...row.cloister, ...row })))}`,
)
console.log(`\n${formatTotals(rows)}`)
for (const scratch of Object.values(scratches)) rmSync(scratch, { recursive: true, force: true })
process.exitCode = totals(rows).unexplained === 0 ? 0 : 1
