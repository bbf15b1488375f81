import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import type { SourceFile } from './doctor/differences.ts'

const SOURCE = /\.[cm]?[jt]sx?$/
const DECLARATIONS = /\.d\.[cm]?ts$/
const LEFT_OUT = ['node_modules', 'coverage']

/** More files than any app has by hand; further ones are not read. */
const MAX_FILES = 5000

/**
 * Reads the source files in a folder and below, without dependencies.
 *
 * @param without - names of further folders to skip
 * @param declarations - whether to read declaration files too
 */
export async function readSources(
  folder: string,
  without: readonly string[] = [],
  declarations = false,
): Promise<SourceFile[]> {
  const leftOut = new Set([...LEFT_OUT, ...without])
  const found: SourceFile[] = []
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined && found.length < MAX_FILES; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const full = path.join(next, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !leftOut.has(entry.name)) folders.push(full)
      else if (
        entry.isFile() &&
        SOURCE.test(entry.name) &&
        (declarations || !DECLARATIONS.test(entry.name))
      ) {
        found.push({ path: full, text: await readFile(full, 'utf8') })
      }
    }
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}
