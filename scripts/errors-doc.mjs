// Writes docs/errors.md from the catalogue of errors; with `--check` it only says whether the page is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = process.cwd()
const page = path.join(root, 'docs/errors.md')

/** @typedef {{ readonly status: number, readonly fault: 'client' | 'app' | 'framework', readonly message: string }} ErrorEntry */

const HEAD = `# Errors

<!-- Made by \`npm run docs:errors\` from the catalogue in packages/cloister/src/error-table.ts. Do not edit. -->

Every error that the framework raises has a \`code\`, a \`statusCode\` and a \`fault\`: whose mistake it is. The constructors are exported by code, so that a handler can ask \`error instanceof errorCodes.CLO_ERR_NOT_FOUND\`. Words in braces are filled in by the place that raises the error.

Each code is an anchor of this page: a copy of it that you publish can be the \`problemTypeBase\` of [problem details](guide/replies-and-errors.md#problem-details), with \`#\` at its end.
`

const SECTIONS = /** @type {const} */ ([
  ['client', 'Mistakes of the client', 'Raised by a request; the answer carries the status.'],
  [
    'app',
    'Mistakes of the application',
    'Raised by code that uses the framework, at boot or while a request runs.',
  ],
  ['framework', 'Mistakes of the framework', 'They should not happen; please report one that does.'],
])

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

/** @param {Readonly<Record<string, ErrorEntry>>} table */
function write(table) {
  const parts = [HEAD]
  for (const [fault, title, note] of SECTIONS) {
    const rows = Object.entries(table)
      .filter(([, entry]) => entry.fault === fault)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([name, { status, message }]) =>
          `| <a id="CLO_ERR_${name}"></a>\`CLO_ERR_${name}\` | ${status} | ${cell(message)} |`,
      )
    if (rows.length > 0) {
      parts.push(`## ${title}\n\n${note}\n\n| code | status | message |\n|---|---|---|\n${rows.join('\n')}\n`)
    }
  }
  return parts.join('\n')
}

const catalogue = pathToFileURL(path.join(root, 'packages/cloister/dist/error-table.js')).href
const { errorTable } = /** @type {{ errorTable: Readonly<Record<string, ErrorEntry>> }} */ (
  await import(catalogue)
)
const wanted = write(errorTable)

if (!process.argv.includes('--check')) {
  writeFileSync(page, wanted)
  console.log(`docs/errors.md has ${Object.keys(errorTable).length} errors.`)
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== wanted) {
  console.log('docs/errors.md is not what the catalogue gives')
  process.exitCode = 1
} else console.log('docs/errors.md is up to date.')
