// The size of each package: code lines (without comments and blank lines) and files of its `src`, beside those of the
// last release in `scripts/sizes.json`. It is a report: a package that grew by more than the room of one release is
// marked, for the reviewer to ask why. Only a package without figures is a fault. `--write` stores today's figures.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sizeOf } from './lib/code-lines.mjs'

/** How much a package may grow from one release to the next without a mark. */
const ROOM = 0.03

/** @typedef {{ lines: number, files: number }} Size */

const root = process.cwd()
const file = path.join(root, 'scripts/sizes.json')
/** @type {Record<string, Size>} */
const released = JSON.parse(readFileSync(file, 'utf8'))
const sizes = Object.fromEntries(
  readdirSync(path.join(root, 'packages')).map((name) => [
    name,
    sizeOf(path.join(root, 'packages', name, 'src')),
  ]),
)

/** @param {number} before @param {number} now */
const isMarked = (before, now) => now > Math.ceil(before * (1 + ROOM))

/** @param {string} name @param {Size} now */
function lineOf(name, now) {
  const before = released[name] ?? now
  const parts = /** @type {const} */ (['lines', 'files']).map((what) => {
    const grown = now[what] - before[what]
    const mark = isMarked(before[what], now[what]) ? ' (more than 3 %)' : ''
    return `${now[what]} ${what} ${grown < 0 ? '' : '+'}${grown}${mark}`
  })
  return `${name.padEnd(16)} ${parts.join(', ')}`
}

if (process.argv.includes('--write')) writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`)
for (const [name, now] of Object.entries(sizes)) console.log(lineOf(name, now))
const missing = Object.keys(sizes).filter((name) => released[name] === undefined)
for (const name of missing) console.log(`packages/${name} has no figures in scripts/sizes.json`)
process.exitCode = missing.length === 0 || process.argv.includes('--write') ? 0 : 1
