// The budget of each package: code lines (without comments and blank lines) and files of its `src`, at most those of
// `scripts/sizes.json`. A commit that needs more raises the figure there and gives the reason. `--print` shows both.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { sizeOf } from './lib/code-lines.mjs'

/** @typedef {{ lines: number, files: number, why: string }} Budget */

const root = process.cwd()
/** @type {Record<string, Budget>} */
const budgets = JSON.parse(readFileSync(path.join(root, 'scripts/sizes.json'), 'utf8'))
/** @type {string[]} */
const faults = []
/** @type {Record<string, object>} */
const table = {}

for (const name of readdirSync(path.join(root, 'packages'))) {
  const size = sizeOf(path.join(root, 'packages', name, 'src'))
  const budget = budgets[name]
  table[name] = { ...size, 'most lines': budget?.lines, 'most files': budget?.files }
  if (budget === undefined) {
    faults.push(`packages/${name} has no budget; add it to scripts/sizes.json`)
    continue
  }
  if (budget.why.trim() === '') faults.push(`packages/${name}: the budget has no reason`)
  for (const what of /** @type {const} */ (['lines', 'files'])) {
    if (size[what] > budget[what]) {
      faults.push(`packages/${name}/src has ${size[what]} ${what} of code, ${budget[what]} are budgeted`)
    }
  }
}

if (process.argv.includes('--print')) console.table(table)
for (const line of faults) console.log(line)
console.log(
  faults.length === 0 ? 'Every package keeps to its budget.' : `${faults.length} budgets are exceeded.`,
)
process.exitCode = faults.length === 0 ? 0 : 1
