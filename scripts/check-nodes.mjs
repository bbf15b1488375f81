// `npm run test:nodes [-- 22 24 conformance/logging]`: runs the behaviour suites, or those of the given folders, on
// every supported line of Node, or on the given ones. Installs each from the package `node` into a temporary folder
// outside of the repository.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repository, run } from './lib/run.mjs'
import { SUMMARY } from './summary-reporter.mjs'

const LINES = ['20', '22', '24', '26']
const INSTALL_MS = 5 * 60_000
const SUITES_MS = 20 * 60_000

const isLine = (/** @type {string} */ argument) => /^\d+$/.test(argument)
const lines = process.argv.slice(2).filter(isLine)
const folders = process.argv.slice(2).filter((argument) => !isLine(argument))
const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs')
const suites = ['run', '--project', '!type*', '--exclude', 'scripts/test/**']
let passed = 0
let failed = 0

for (const line of lines.length > 0 ? lines : LINES) {
  const folder = mkdtempSync(path.join(tmpdir(), `cloister-node-${line}-`))
  try {
    const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, `node@${line}`]
    const { code, output } = await run(install, { cwd: folder, timeoutMs: INSTALL_MS })
    if (code !== 0) {
      console.log(`Node ${line} cannot be installed:\n${output}`)
      failed++
      continue
    }
    const bin = path.join(folder, 'node_modules/.bin')
    const env = { PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` }
    const node = path.join(bin, 'node')
    const result = await run([node, vitest, ...suites, ...folders], { env, echo: true, timeoutMs: SUITES_MS })
    const counts = SUMMARY.exec(result.output)
    passed += Number(counts?.[1] ?? 0)
    failed += Math.max(Number(counts?.[2] ?? 0), result.code === 0 ? 0 : 1)
    console.log(`Node ${line}: ${counts?.[0]?.trim() ?? 'no summary'}, exit code ${result.code}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
