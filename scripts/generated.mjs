// Writes every file that is made from a table of the sources; with `--check` it only says whether they are up to date.
import { existsSync } from 'node:fs'

await import('./errors-doc.mjs')
await import('./options-doc.mjs')
await import('./fastify-types.mjs')
await import('./stages-page.mjs')
if (existsSync('docs/explanation.schema.json')) await import('./explanation-types.mjs')
if (existsSync('packages/cloister/src/exchange')) await import('./status-text.mjs')
if (existsSync('packages/explorer')) await import('./explorer-page.mjs')
