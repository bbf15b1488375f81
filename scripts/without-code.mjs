// `npm run test:without-code`: runs the tests in a process that forbids code generation from strings, so that every
// function is closures. Files and folders as arguments select tests. A test may fail that uses Ajv itself.
// `lib/code-exceptions.json` lists the others that may fail, most of them because they ask for Ajv by an option. The
// list may only become shorter: a test on it that passes is also an error.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repository, run } from './lib/run.mjs'

/**
 * @typedef {{ fullName: string, status: string, failureMessages: readonly string[] }} Assertion
 * @typedef {{ name: string, status: string, assertionResults: readonly Assertion[] }} FileResult
 * @typedef {{ testResults: readonly FileResult[] }} Report
 */

/**
 * Tests of the mechanism: they generate code and inspect it, compare it with looks, or are about Ajv. Commands load
 * their modules when they are called, which the test runner cannot do in such a process.
 */
const MECHANISM =
  /^packages\/(cli|migrate)\/|^conformance\/web\/migrated-options\.|^scripts\/test\/call-budget\.|^packages\/schema\/test\/(ahead|printed|codegen|sealed|validator\/ajv)\/|\/(tiers|compilation|depth|round-trip|key-sequences|code-forbidden|validator\/back-ends|validator\/wrapped-items|validator\/lists-of-scalars|many-properties|validator\/looks|validator\/lenient|validator\/ajv-agrees|walk\/(later-)?cases|walk\/leaf|walk\/coercers|branches-of-texts)\.test\.ts$/
/** Tests of serializers that use generated code by its name. */
const BACK_END = /\b(concat|project)\b/
/** The transport of a suite; an exception applies to all of them. */
const TRANSPORT = / \((in-process|socket|wire|http2|memory|fetch)\)/

/** A source of ours calls what has failed. */
const OURS = /\/packages\/[^/]+\/src\//

const exceptions = /** @type {Record<string, string[]>} */ (
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'lib/code-exceptions.json'), 'utf8'))
)
const folder = mkdtempSync(path.join(tmpdir(), 'without-code-'))
const reportFile = path.join(folder, 'report.json')

try {
  const projects = ['--project', '!type*']
  const reporter = ['--reporter=json', `--outputFile=${reportFile}`]
  const { output } = await run(['vitest', 'run', ...projects, ...reporter, ...process.argv.slice(2)], {
    env: {
      CLOISTER_CODE_GENERATION: 'never',
      NODE_OPTIONS: '--disallow-code-generation-from-strings',
    },
    timeoutMs: 60 * 60_000,
  })
  process.exitCode = judge(readReport(output))
} finally {
  rmSync(folder, { recursive: true })
}

/** @param {string} output @returns {Report} */
function readReport(output) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(reportFile, 'utf8')))
  } catch {
    throw new Error(`vitest has written no report:\n${output.slice(-4000)}`)
  }
}

/** @param {Report} report @returns {number} the exit code */
function judge({ testResults }) {
  let passed = 0
  /** @type {string[]} */
  const faults = []
  for (const { name, status, assertionResults } of testResults) {
    const file = path.relative(repository, name).split(path.sep).join('/')
    if (MECHANISM.test(file)) continue
    const { failed, succeeded } = outcomes(file, assertionResults)
    if (status === 'failed' && assertionResults.length === 0) failed.add('cannot be loaded')
    const known = new Set(exceptions[file])
    passed += [...succeeded].filter((test) => !known.has(test)).length
    for (const test of failed) if (!known.has(test)) faults.push(`${file}: ${test}`)
    for (const test of succeeded) {
      if (known.has(test) && !failed.has(test)) faults.push(`${file}: passes, take it off the list: ${test}`)
    }
  }
  for (const fault of faults) console.log(fault)
  console.log(`${passed} passed, ${faults.length} failed`)
  return faults.length === 0 ? 0 : 1
}

/** @param {string} file @param {readonly Assertion[]} assertions */
function outcomes(file, assertions) {
  const failed = new Set()
  const succeeded = new Set()
  for (const { fullName, status, failureMessages } of assertions) {
    if (file.startsWith('packages/schema/test/serializer/') && BACK_END.test(fullName)) continue
    if (status === 'failed' && failureMessages.every(isOfTest)) continue
    const test = fullName.replace(TRANSPORT, '')
    if (status === 'failed') failed.add(test)
    if (status === 'passed') succeeded.add(test)
  }
  return { failed, succeeded }
}

/** Whether a test has generated code itself, such as by Ajv or the client of a protocol. @param {string} message */
function isOfTest(message) {
  return message.startsWith('EvalError: Code generation from strings') && !OURS.test(message)
}
