// Writes the path of a request in ARCHITECTURE.md from the tables in `request/stages.ts`. With `--check`, only
// reports whether it is up to date.
import { existsSync, readFileSync } from 'node:fs'
import { keepWritten } from './lib/keep-written.mjs'

const page = 'ARCHITECTURE.md'
if (existsSync(page)) {
  const [, requestRows = '', replyRows = ''] = readFileSync(
    'packages/cloister/src/request/stages.ts',
    'utf8',
  ).split(/^export const \w+_STAGES: readonly StageEntry\[\] = \[$/m)
  const line = (/** @type {string} */ rows) =>
    [...rows.matchAll(/^ {2}.*(?:name: |hooksOf\()'(\w+)'/gm)].map(([, name]) => name).join(' → ')
  const shown = `  → ${line(requestRows)}\n  → ${line(replyRows)} → exchange`
  const text = readFileSync(page, 'utf8').replace(/^ {2}→ deadline .*\n {2}→ .* → write → exchange/m, shown)
  keepWritten(page, text, 'the table of stages')
}
