// `npm test`, `npm run check` and `npm run check:all`: run the gates of a tier, or the given ones. A failing gate
// does not stop the others. The last line only has `N passed, N failed`; a gate counts as one, a test as one.
import { performance } from 'node:perf_hooks'
import { gates, TIERS } from './gates.mjs'
import { run } from './lib/run.mjs'
import { SUMMARY } from './summary-reporter.mjs'

const TIMEOUT_MS = 90 * 60_000

const words = process.argv.slice(2)
const tier = TIERS.findIndex((name) => words.includes(`--tier=${name}`))
const names = words.filter((word) => !word.startsWith('--'))
const unknown = words.filter(
  (word) => !gates.some(({ name }) => name === word) && !TIERS.some((name) => word === `--tier=${name}`),
)
if (unknown.length > 0) {
  const known = gates.map(({ name }) => name).join(', ')
  console.error(`unknown: ${unknown.join(', ')}; give --tier=${TIERS.join('|')} or gates: ${known}`)
  process.exit(2)
}

const selected = gates.filter((gate) =>
  names.length > 0 ? names.includes(gate.name) : TIERS.indexOf(gate.tier) <= Math.max(tier, 0),
)
/** @type {string[]} */
const red = []
let passed = 0
let failed = 0

for (const gate of selected) {
  const start = performance.now()
  if (gate.needs !== undefined) await run(gate.needs)
  const env = gate.counts === true && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const { code, output } = await run(gate.command, { env, timeoutMs: TIMEOUT_MS })
  const seconds = `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s`
  const counts = gate.counts === true ? SUMMARY.exec(output) : null
  passed += Number(counts?.[1] ?? (code === 0 ? 1 : 0))
  failed += Math.max(Number(counts?.[2] ?? 0), code === 0 ? 0 : 1)
  const name = gate.name.padEnd(13)
  if (code === 0) {
    console.log(`ok    ${name} ${seconds}${counts === null ? '' : `  ${counts[1]} passed`}`)
  } else {
    red.push(`${gate.name}: ${gate.fix}`)
    console.log(`\n${output.replace(SUMMARY, '').trim()}\nRED   ${name} ${seconds}  (${gate.fix})\n`)
  }
}

if (red.length > 0) console.log(`\nRed:\n${red.map((line) => `  ${line}`).join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
