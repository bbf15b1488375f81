import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { CommandError } from './session.ts'

/**
 * Returns the module that Node.js has to import before a file of TypeScript: the compiler of the project. Versions that
 * run TypeScript only erase its types, so they need it too, for enums, paths of a `tsconfig.json` and imports of `.js`.
 *
 * @param file - the file of the app
 * @param flags - the flags of the process that imports the file
 * @returns its URL; `null` if the file needs none
 * @throws CommandError with the code 3 if it needs one that the project does not have
 */
export function compilerFor(file: string, flags: readonly string[]): string | null {
  if (!isTypeScript(file) || hasLoader(flags)) return null
  const compiler = compilerBeside(file)
  if (compiler !== null || Reflect.get(process.features, 'typescript')) return compiler
  throw new CommandError(
    3,
    `Node.js ${process.version} does not run TypeScript: ${file}
Install a compiler (npm install --save-dev tsx), or give what was compiled (--app dist/app.js).
`,
  )
}

/** Says that a file needs a compiler, if the error of its import can come from that; empty otherwise. */
export function compilerAdvice(file: string, error: unknown): string {
  if (!isTypeScript(file) || compilerBeside(file) !== null) return ''
  const code: unknown = Reflect.get(Object(error), 'code')
  const source = String(Reflect.get(Object(error), 'url')).replace(/\.([cm]?)js$/, '.$1ts')
  const isNamedJs = code === 'ERR_MODULE_NOT_FOUND' && URL.canParse(source) && existsSync(new URL(source))
  if (!isNamedJs && code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return ''
  const change = isNamedJs ? `import '${path.basename(source)}'` : 'write it in JavaScript'
  return `\n\nNode.js ${process.version} only removes types from TypeScript. Install a compiler (npm install --save-dev tsx), or ${change}.`
}

/** Whether a file is TypeScript, by its name. */
export function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file)
}

/** Returns the URL of `tsx` as a file resolves it, in its package or a workspace above; `null` if it is not installed. */
export function compilerBeside(file: string): string | null {
  try {
    return pathToFileURL(createRequire(file).resolve('tsx')).href
  } catch {
    return null
  }
}

function hasLoader(flags: readonly string[]): boolean {
  const given = [...flags, process.env['NODE_OPTIONS'] ?? ''].join(' ')
  return /--(?:import|require|loader|experimental-loader|r)\b/.test(given)
}
