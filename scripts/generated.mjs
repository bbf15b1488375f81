// Writes every file that is generated from a table in the sources; with `--check`, only reports outdated ones.
import { existsSync } from 'node:fs'

await import('./errors-doc.mjs')
await import('./options-doc.mjs')
await import('./fastify-types.mjs')
await import('./stages-page.mjs')
if (existsSync('docs/explanation.schema.json')) await import('./explanation-types.mjs')
if (existsSync('packages/schema/src/document')) await import('./keyword-types.mjs')
if (existsSync('packages/cloister/src/exchange')) await import('./status-text.mjs')
if (existsSync('packages/explorer')) await import('./explorer-page.mjs')
