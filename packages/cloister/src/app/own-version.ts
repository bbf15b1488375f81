import { createRequire } from 'node:module'

import { isRecord } from '../functions.ts'

/** The version of this package, as its manifest says it. */
export function readOwnVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json')
  return isRecord(manifest) ? String(manifest['version']) : ''
}
