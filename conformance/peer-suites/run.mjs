// Runs the test suite that the peer ships in its package against the built Cloister, and prints a scoreboard.
//
//   node conformance/peer-suites/run.mjs --line 4 [--subject peer] [--jobs 2] [--limit 60] [--verbose]
//     [--markdown] [--keep] [part of a file name …]
//
// Exit code 1 if a failure is in no table of differences.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { explain, idle, leftOut } from './lib/differences.mjs'
import { runFile } from './lib/run-file.mjs'
import { formatMarkdown, formatReasons, formatRow, formatTotals, totals } from './lib/scoreboard.mjs'
import { createScratchPackage } from './lib/scratch-package.mjs'
import { listTestFiles, privateReason } from './lib/test-files.mjs'

/** @typedef {import('./lib/scoreboard.mjs').Row} Row */
/** @typedef {import('./lib/scoreboard.mjs').PrivateFile} PrivateFile */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    line: { type: 'string', default: '4' },
    subject: { type: 'string', default: 'cloister' },
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '60' },
    verbose: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})

const { line, differences } = await import(`./line-${values.line}/line.mjs`)
if (!existsSync(path.join(line.folder, 'node_modules'))) {
  throw new Error(
    `line ${values.line} is not installed; run: npm ci --prefix ${path.relative('.', line.folder)}`,
  )
}
const subject = values.subject === 'peer' ? 'peer' : 'cloister'
const scratch = createScratchPackage(line, subject)
const tests = path.join(scratch, 'test')

/** @type {PrivateFile[]} */
const privates = []
const wanted = listTestFiles(tests, line.tests)
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .filter((file) => {
    const parts = privateReason(path.join(tests, file), line.internals)
    if (parts !== '') privates.push({ file, parts })
    return parts === ''
  })

/** @type {Row[]} */
const rows = []
const queue = [...wanted]

async function work() {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const timeLimitMs = Number(values.limit) * 1000
    const names = subject === 'peer' ? [] : leftOut(file, differences)
    const result = await runFile({
      file: path.join('test', file),
      cwd: scratch,
      command: subject === 'peer' ? line.command : [...line.command, '--require', line.preload],
      env: line.env(names),
      timeLimitMs,
    })
    const failures = [...result.failures, ...names.map((test) => ({ test, assertion: 'ends' }))]
    const named = { ...result, file, failures }
    const row = { ...named, ...explain(named, subject === 'peer' ? [] : differences) }
    rows.push(row)
    if (values.markdown) continue
    console.log(formatRow(row))
    for (const { test, assertion } of row.unexplained)
      console.log(`       ${test === '' ? '' : `${test}: `}${assertion}`)
    if (values.verbose) console.log(row.output)
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work))
rows.sort((a, b) => (a.file < b.file ? -1 : 1))
if (values.markdown) console.log(formatMarkdown(rows, privates))
else console.log(`\n${formatReasons(rows)}`)
console.log(`\n${formatTotals(rows, privates)}`)
const gone = subject === 'peer' ? [] : idle(rows, differences)
if (gone.length > 0) console.log(`\nrows of the table that cover no failure:\n${gone.join('\n')}`)
if (values.keep) console.log(`kept: ${scratch}`)
else rmSync(scratch, { recursive: true, force: true })
process.exitCode = totals(rows).unexplained === 0 ? 0 : 1
