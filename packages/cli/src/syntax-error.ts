import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** More files than this are not checked: each costs a process. */
const MOST = 100
const CHECK_MS = 10_000

/** What Node.js prints of a file that it cannot parse: file and line, the code, a mark below it, the message. */
const REPORT = /(?:^|\n)(\S[^\n]*):(\d+)(\n[^\n]*\n[ \t]*\^+)\s*\nSyntaxError: ([^\n]*)/
const IMPORT = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

/**
 * Puts file, line and code at the head of the stack of a syntax error, as Node.js does for CommonJS. For an ES module
 * it prints them when an error ends the process, and the stack has none.
 *
 * @param file - the file of the app; it, and what it imports by relative paths, is checked by `node --check`
 */
export async function addPlace(error: SyntaxError, file: string): Promise<void> {
  const folder = path.dirname(file)
  if ([folder, pathToFileURL(folder).href].some((text) => error.stack?.includes(text))) return
  const files = new Set([file])
  // The loop also visits what is added on the way.
  for (const one of files) {
    const place = await placeIn(one, error.message)
    if (place !== null) {
      error.stack = `${place}\n${error.stack ?? String(error)}`
      return
    }
    for (const imported of await importsOf(one)) if (files.size < MOST) files.add(imported)
  }
}

/** Returns the `file:line` at the head of the stack of a syntax error; `null` where there is none. */
export function placeOf(error: Error): string | null {
  if (!(error instanceof SyntaxError)) return null
  const [, file, line] = /^(\S[^\n]*):(\d+)\n/.exec(error.stack ?? '') ?? []
  return file === undefined ? null : `${toPath(file)}:${line}`
}

/** Where a file has this syntax error; `null` where it has none, or another. */
function placeIn(file: string, message: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: CHECK_MS }, (_failure, _out, report) => {
      const [, found = '', line, code = '', reason] = REPORT.exec(report) ?? []
      resolve(reason === message ? `${toPath(found)}:${line}${code}` : null)
    })
  })
}

/** The files that a file imports by relative paths; none for a file that cannot be read. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const base = pathToFileURL(file)
  return Array.from(text.matchAll(IMPORT), ([, , specifier = '']) => fileURLToPath(new URL(specifier, base)))
}

function toPath(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}
