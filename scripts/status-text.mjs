// Writes the reason phrases by status from those of Node, for rooms that import nothing from Node. With `--check`,
// only reports whether they are up to date.
import { STATUS_CODES } from 'node:http'
import { keepWritten } from './lib/keep-written.mjs'

const rows = Object.entries(STATUS_CODES).map(([status, text]) => `  ${status}: ${JSON.stringify(text)},\n`)
const text = `// Made by \`npm run docs:options\` from \`STATUS_CODES\` of node:http. Do not edit.

/** Reason phrases by status (IANA registry of HTTP status codes). */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
${rows.join('')}}
`
keepWritten('packages/cloister/src/exchange/status-text.generated.ts', text, 'STATUS_CODES of node:http')
