// `npm run test:without-code`: the tests in a process that forbids code made of text, so that every function is closures.
// Folders and files as arguments leave the others out. What may fail is listed in `lib/code-exceptions.mjs`; that list
// may only become shorter: a test on it that passes is red, too.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exceptions, leftOut } from './lib/code-exceptions.mjs'
import { repository, run } from './lib/run.mjs'

/**
 * @typedef {{ fullName: string, status: string }} Assertion
 * @typedef {{ name: string, status: string, assertionResults: readonly Assertion[] }} FileResult
 * @typedef {{ testResults: readonly FileResult[] }} Report
 */

const folder = mkdtempSync(path.join(tmpdir(), 'without-code-'))
const report = path.join(folder, 'report.json')
const chosen = process.argv.slice(2)

try {
  const { output } = await run(
    [
      'vitest',
      'run',
      '--project',
      'behaviour',
      '--project',
      'isolated',
      '--reporter=json',
      `--outputFile=${report}`,
      ...leftOut.map((pattern) => `--exclude=${pattern}`),
      ...chosen,
    ],
    {
      env: {
        CLOISTER_CODE_GENERATION: 'never',
        NODE_OPTIONS: '--disallow-code-generation-from-strings',
      },
      timeoutMs: 60 * 60_000,
    },
  )
  process.exitCode = judge(readReport(output))
} finally {
  rmSync(folder, { recursive: true })
}

/** @param {string} output @returns {Report} */
function readReport(output) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    throw new Error(`vitest has written no report:\n${output.slice(-4000)}`)
  }
}

/** @param {Report} result */
function judge({ testResults }) {
  let passed = 0
  /** @type {string[]} */
  const faults = []
  for (const { name, status, assertionResults } of testResults) {
    const file = path.relative(repository, name).split(path.sep).join('/')
    if (status === 'failed' && assertionResults.length === 0) faults.push(`${file} cannot be loaded`)
    for (const { fullName, status: outcome } of assertionResults) {
      const mayFail = (exceptions[file] ?? []).some((pattern) => fullName.includes(pattern))
      if (outcome === 'passed' && !mayFail) passed++
      if (outcome === 'passed' && mayFail)
        faults.push(`${file}: passes now, take it off the list: ${fullName}`)
      if (outcome === 'failed' && !mayFail) faults.push(`${file}: ${fullName}`)
    }
  }
  for (const fault of faults) console.log(fault)
  console.log(`${passed} passed, ${faults.length} failed`)
  return faults.length === 0 ? 0 : 1
}
