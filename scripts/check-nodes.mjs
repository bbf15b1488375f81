// `npm run test:nodes [-- 22 24 conformance/logging]`: runs the behaviour suites, or those of the given folders, on
// every supported line of Node, or on the given ones. Installs each from the package `node` into a temporary folder
// outside of the repository.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './lib/run.mjs'
import { vitestOn } from './lib/vitest-on.mjs'

const LINES = ['20', '22', '24', '26']
const INSTALL_MS = 5 * 60_000

const isLine = (/** @type {string} */ argument) => /^\d+$/.test(argument)
const lines = process.argv.slice(2).filter(isLine)
const folders = process.argv.slice(2).filter((argument) => !isLine(argument))
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
    const binary = path.join(folder, 'node_modules/.bin/node')
    const counts = await vitestOn(line, binary, [...suites, ...folders])
    passed += counts.passed
    failed += counts.failed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
