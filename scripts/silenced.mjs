// A silenced rule needs a reason: `// oxlint-disable-next-line rule -- reason`, `// @ts-expect-error reason` in
// sources. Silencing all rules is not allowed, and whole files may only be silenced in type tests.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { trackedFiles } from './lib/files.mjs'

const root = process.cwd()
const CODE = /\.(ts|mts|cts|js|mjs|cjs)$/
const SOURCE = /^packages\/[^/]+\/src\//
const QUOTES_SILENCERS = new Set(['scripts/silenced.mjs', 'scripts/gate-faults/gate-faults.mjs'])
const SILENCER = /\b(?:ox|es)lint-disable(-next-line|-line)?\b(.*)$/

/** Returns what is wrong with a line; undefined if nothing. @param {string} line @param {string} file */
function faultOf(line, file) {
  const found = SILENCER.exec(line)
  if (found !== null) {
    const [, form, rest = ''] = found
    if (form === undefined && !file.endsWith('.test-d.ts')) return 'silences a rule for more than one line'
    const [rules = '', reason = ''] = rest.replace('*/', '').split(' -- ')
    if (rules.trim() === '') return 'silences every rule; name the one'
    if (reason.trim().length < 8) return 'silences a rule without saying why (`rule -- reason`)'
  }
  if (SOURCE.test(file) && /@ts-expect-error\s*(\*\/)?$/.test(line))
    return 'expects a type error without saying why'
  return undefined
}

let faults = 0
let files = 0
for (const file of trackedFiles(root)) {
  if (!CODE.test(file) || QUOTES_SILENCERS.has(file)) continue
  files++
  for (const [index, line] of readFileSync(path.join(root, file), 'utf8').split('\n').entries()) {
    const fault = faultOf(line, file)
    if (fault === undefined) continue
    faults++
    console.log(`${file}:${index + 1} ${fault}`)
  }
}
console.log(faults === 0 ? `${files} files, no rule silenced without a reason.` : `${faults} faults.`)
process.exitCode = faults === 0 ? 0 : 1
