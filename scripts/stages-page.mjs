// Writes what repeats the tables in `request/stages.ts`: the path of a request in ARCHITECTURE.md, and the names of the
// reply stages for the explorer. With `--check`, only reports whether both are up to date.
import { existsSync, readFileSync } from 'node:fs'
import { keepWritten } from './lib/keep-written.mjs'

const page = 'ARCHITECTURE.md'
if (existsSync(page)) {
  const [requestNames, replyNames] = readTables()
  const shown = `  → ${requestNames.join(' → ')}\n  → ${replyNames.join(' → ')} → exchange`
  const text = readFileSync(page, 'utf8').replace(/^ {2}→ deadline .*\n {2}→ .* → write → exchange/m, shown)
  keepWritten(page, text, 'the table of stages')
  keepWritten('packages/explorer/page/reply-stages.generated.ts', module(replyNames), 'the table of stages')
}

/** Returns the names of the rows of both tables. */
function readTables() {
  const [, requestRows = '', replyRows = ''] = readFileSync(
    'packages/cloister/src/request/stages.ts',
    'utf8',
  ).split(/^export const \w+_STAGES: readonly StageEntry\[\] = \[$/m)
  const namesOf = (/** @type {string} */ rows) =>
    [...rows.matchAll(/^ {2}.*(?:name: |hooksOf\()'(\w+)'/gm)].map(([, name = '']) => name)
  return /** @type {const} */ ([namesOf(requestRows), namesOf(replyRows)])
}

/** @param {readonly string[]} names */
function module(names) {
  return `// Made by \`npm run docs:options\` from the table of stages. Do not edit.

/** The stages that run once there is a reply. */
export const REPLY_STAGES: ReadonlySet<string> = new Set([${names.map((name) => `'${name}'`).join(', ')}])
`
}
