import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

import { isRecord } from './compare.ts'

/** A public document. */
export interface PublicDocument {
  readonly name: string
  readonly document: Readonly<Record<string, unknown>>
}

/** The folder of the examples, which are licensed under MIT. */
const EXAMPLES = path.dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'))

/** The documents of the package, and those of the folder `CLOISTER_OPENAPI_DOCUMENTS`. */
export function publicDocuments(): PublicDocument[] {
  const own = process.env['CLOISTER_OPENAPI_DOCUMENTS']
  return [
    ...readFolder(path.join(EXAMPLES, '3.0/json'), '3.0/'),
    ...readFolder(path.join(EXAMPLES, '3.1/json'), '3.1/'),
    ...(own === undefined ? [] : readFolder(own, 'own/')),
  ]
}

function readFolder(folder: string, prefix: string): PublicDocument[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => {
      const document: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      return { name: `${prefix}${file.replace(/\.json$/, '')}`, document: isRecord(document) ? document : {} }
    })
}
