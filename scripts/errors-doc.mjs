// Writes docs/errors.md from the catalogue of errors; with `--check`, only reports whether the page is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = process.cwd()
const page = path.join(root, 'docs/errors.md')

/** @typedef {{ readonly status: number, readonly fault: 'client' | 'app' | 'framework', readonly message: string, readonly help?: string }} ErrorEntry */

const HEAD = `# Errors

<!-- Made by \`npm run docs:errors\` from the catalogue in packages/cloister/src/error-table.ts. Do not edit. -->

This page lists every error of the framework, and what to do about it. An error has a \`code\`, a \`statusCode\` and a \`fault\`, which says who made the mistake: \`client\`, \`app\` or \`framework\`. To recognise an error, compare its code, or use its constructor in \`errorCodes\`:

\`\`\`js run
import assert from 'node:assert/strict'
import { cloister, errorCodes } from 'cloister'

const app = cloister()
app.setErrorHandler((error, request, reply) => {
  if (!(error instanceof errorCodes.CLO_ERR_VALIDATION)) throw error
  return reply.code(422).send({ message: error.message })
})
app.get('/', { schema: { querystring: { page: { type: 'integer' } } } }, () => 'ok')

assert.equal((await app.inject('/?page=one')).statusCode, 422)
\`\`\`

The arrow → says what to do. Words in braces are filled in when the error is created. Unless \`NODE_ENV\` is \`production\` or \`test\`, mistakes of the application have the property \`help\`, which says what to do, names the line of your code, and links to this page.

Each code is an anchor of this page. To link [problem details](guide/replies-and-errors.md#problem-details) to these anchors, publish a copy of the page and set \`problemTypeBase\` to its URL, with \`#\` at the end.
`

const SECTIONS = /** @type {const} */ ([
  ['client', 'Mistakes of the client', 'A request causes these errors; the response has their status.'],
  [
    'app',
    'Mistakes of the application',
    'Your code causes these errors, while the app starts or while a request runs.',
  ],
  ['framework', 'Mistakes of the framework', 'These are bugs; please report them.'],
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
        ([name, { status, message, help = '' }]) =>
          `| <a id="CLO_ERR_${name}"></a>\`CLO_ERR_${name}\` | ${status} | ${cell(message)}${help && `<br>→ ${cell(help)}`} |`,
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
