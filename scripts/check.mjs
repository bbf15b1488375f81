// `npm run check` and `npm test`: every gate, then the tests. A red gate does not stop the others.
// The last line is alone and reads `N passed, N failed`; a gate counts as one, a test as one.
import { performance } from 'node:perf_hooks'
import { consumers, gates, integrations, tests } from './gates.mjs'
import { run } from './lib/run.mjs'
import { SUMMARY } from './summary-reporter.mjs'

/** @type {import('./gates.mjs').Gate} */
const canaries = {
  name: 'canaries',
  command: [process.execPath, 'scripts/canaries.mjs'],
  fix: 'a gate does not see the fault that it exists for; mend the gate',
}

const SUITE_TIMEOUT_MS = 45 * 60_000

const only = process.argv.slice(2)
const selected = [...gates, canaries].filter(({ name }) => only.length === 0 || only.includes(name))
/** @type {string[]} */
const red = []
let passed = 0
let failed = 0

for (const gate of selected) {
  const start = performance.now()
  if (gate.needs !== undefined) await run(gate.needs)
  const { code, output } = await run(gate.command)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (code === 0) {
    passed++
    console.log(`ok    ${gate.name.padEnd(13)} ${seconds.padStart(5)} s`)
  } else {
    failed++
    red.push(`${gate.name}: ${gate.fix}`)
    console.log(`\n${output.trim()}\nRED   ${gate.name.padEnd(13)} ${seconds.padStart(5)} s  (${gate.fix})\n`)
  }
}

for (const suite of [tests, integrations, consumers]) {
  if (only.length > 0 && !only.includes(suite.name)) continue
  const env = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const { code, output } = await run(suite.command, { env, timeoutMs: SUITE_TIMEOUT_MS })
  const counts = SUMMARY.exec(output)
  console.log(output.replace(SUMMARY, '').trim())
  // A suite that does not count its tests counts as one.
  passed += Number(counts?.[1] ?? (code === 0 ? 1 : 0))
  failed += Number(counts?.[2] ?? 0)
  if (code !== 0) {
    red.push(`${suite.name}: ${suite.fix}`)
    if (Number(counts?.[2] ?? 0) === 0) failed++
  }
}

if (red.length > 0) console.log(`\nRed:\n${red.map((line) => `  ${line}`).join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && red.length === 0 ? 0 : 1
