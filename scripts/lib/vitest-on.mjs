// Runs vitest on another binary of Node.
import path from 'node:path'
import { SUMMARY } from '../summary-reporter.mjs'
import { repository, run } from './run.mjs'

const VITEST = path.join(repository, 'node_modules/vitest/vitest.mjs')
const SUITES_MS = 20 * 60_000

/**
 * Prints what vitest prints, and a line with the counts. A run that fails counts as one failure at least.
 *
 * @param {string} line of Node, for the line
 * @param {string} binary of Node; processes that the tests start find the others of its folder
 * @param {readonly string[]} args of vitest
 */
export async function vitestOn(line, binary, args) {
  const env = { PATH: `${path.dirname(binary)}${path.delimiter}${process.env['PATH'] ?? ''}` }
  const { code, output } = await run([binary, VITEST, ...args], { env, echo: true, timeoutMs: SUITES_MS })
  const counts = SUMMARY.exec(output)
  console.log(`Node ${line}: ${counts?.[0] ?? 'no summary'}, exit code ${code}`)
  return {
    passed: Number(counts?.[1] ?? 0),
    failed: Math.max(Number(counts?.[2] ?? 0), code === 0 ? 0 : 1),
  }
}
