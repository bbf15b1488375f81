import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** More files than this are not read. */
const MOST = 2000

/** Endings of the file behind a specifier, first as it is written; `./users.js` may be the name of `users.ts`. */
const ENDINGS = ['', '.ts', '.mts', '.js', '/index.ts', '/index.js']
const COMPILED = /\.([cm]?)js$/

/**
 * Puts file, line and code at the head of the stack of a syntax error, as Node.js does for CommonJS. For an ES module
 * it prints them when an error ends the process, and the stack has none.
 *
 * @param file - the file of the app; it, and what it imports by relative paths, is parsed
 */
export async function addPlace(error: SyntaxError, file: string): Promise<void> {
  const folder = path.dirname(file)
  if ([folder, pathToFileURL(folder).href].some((text) => error.stack?.includes(text))) return
  const { parseSync } = await import('oxc-parser')
  const files = new Set([file])
  // The loop also visits what is added on the way.
  for (const one of files) {
    const text = await readFile(one, 'utf8').catch(() => null)
    if (text === null) continue
    const { errors, module } = parseSync(one, text, { showSemanticErrors: true })
    const [fault] = errors
    if (fault !== undefined) {
      error.stack = `${one}:${printPlace(text, fault.labels.at(0)?.start ?? 0)}\n${error.stack ?? String(error)}`
      return
    }
    const specifiers = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
      ),
      ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ]
    for (const found of specifiers.flatMap((specifier) => findImported(specifier, one))) {
      if (files.size < MOST) files.add(found)
    }
  }
}

/** Returns the `file:line` at the head of the stack of a syntax error; `null` where there is none. */
export function placeOf(error: Error): string | null {
  if (!(error instanceof SyntaxError)) return null
  const [, file, line] = /^(\S[^\n]*):(\d+)\n/.exec(error.stack ?? '') ?? []
  if (file === undefined) return null
  return `${file.startsWith('file:') ? fileURLToPath(file) : file}:${line}`
}

/** Prints the number of a line, its code and a mark below it. What ends too early is marked behind its last character. */
function printPlace(text: string, offset: number): string {
  const before = text.slice(0, Math.min(offset, text.trimEnd().length))
  const start = before.lastIndexOf('\n') + 1
  const [code = ''] = text.slice(start).split('\n', 1)
  return `${before.split('\n').length}\n${code}\n${code.slice(0, before.length - start).replaceAll(/[^\t]/g, ' ')}^`
}

/** The file that is imported by a relative path; none for packages and for what is not there. */
function findImported(specifier: string, from: string): string[] {
  if (!/^\.{1,2}\//.test(specifier)) return []
  const written = fileURLToPath(new URL(specifier, pathToFileURL(from)))
  const candidates = [...ENDINGS.map((ending) => written + ending), written.replace(COMPILED, '.$1ts')]
  return candidates.filter((file) => path.extname(file) !== '' && existsSync(file)).slice(0, 1)
}
