import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import type { SourceFile } from './differences.ts'

const SOURCE = /\.[cm]?[jt]sx?$/
const LEFT_OUT = new Set(['node_modules', 'coverage'])

/** More files than any app has by hand; what is behind them is not read. */
const MOST = 5000

/** Reads the source files in the folder of the app and below, without those of dependencies. */
export async function readSources(folder: string): Promise<SourceFile[]> {
  const found: SourceFile[] = []
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined && found.length < MOST; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const full = path.join(next, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name)) folders.push(full)
      else if (entry.isFile() && isSource(entry.name)) {
        found.push({ path: full, text: await readFile(full, 'utf8') })
      }
    }
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function isSource(name: string): boolean {
  return SOURCE.test(name) && !/\.d\.[cm]?ts$/.test(name)
}
