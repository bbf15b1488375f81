import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MAX_FILES = 2000

/** Suffixes to try for a specifier, first as it is written; `./users.js` may mean `users.ts`. */
const ENDINGS = ['', '.ts', '.mts', '.js', '/index.ts', '/index.js']
const COMPILED = /\.([cm]?)js$/

/**
 * Adds file, line and code to the head of the stack of a syntax error, as Node.js does for CommonJS. For an ES
 * module, Node.js only prints them when the error ends the process.
 *
 * @param file - the file of the app; it is parsed, with the files that it imports by relative paths
 */
export async function addPlace(error: SyntaxError, file: string): Promise<void> {
  const folder = path.dirname(file)
  if ([folder, pathToFileURL(folder).href].some((text) => error.stack?.includes(text))) return
  const { parseSync } = await import('oxc-parser')
  const files = new Set([file])
  // The loop also visits files that are added meanwhile.
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
      if (files.size < MAX_FILES) files.add(found)
    }
  }
}

/** Returns the `file:line` at the head of the stack of a syntax error; `null` if there is none. */
export function placeOf(error: Error): string | null {
  if (!(error instanceof SyntaxError)) return null
  const [, file, line] = /^(\S[^\n]*):(\d+)\n/.exec(error.stack ?? '') ?? []
  if (file === undefined) return null
  return `${file.startsWith('file:') ? fileURLToPath(file) : file}:${line}`
}

/** Prints a line number, the line and a mark below it; the mark of an early end is after the last character. */
function printPlace(text: string, offset: number): string {
  const before = text.slice(0, Math.min(offset, text.trimEnd().length))
  const start = before.lastIndexOf('\n') + 1
  const [code = ''] = text.slice(start).split('\n', 1)
  return `${before.split('\n').length}\n${code}\n${code.slice(0, before.length - start).replaceAll(/[^\t]/g, ' ')}^`
}

/** Finds the file of a relative import; none for packages and missing files. */
function findImported(specifier: string, from: string): string[] {
  if (!/^\.{1,2}\//.test(specifier)) return []
  const written = fileURLToPath(new URL(specifier, pathToFileURL(from)))
  const candidates = [...ENDINGS.map((ending) => written + ending), written.replace(COMPILED, '.$1ts')]
  return candidates.filter((file) => path.extname(file) !== '' && existsSync(file)).slice(0, 1)
}
