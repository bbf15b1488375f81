import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

import { CommandError } from './session.ts'

/**
 * Returns the module that Node.js has to import before a file of TypeScript, for versions that do not run it.
 *
 * @param file - the file of the app
 * @param flags - the flags of the process that imports the file
 * @returns its URL; `null` if the file needs none
 * @throws CommandError with the code 3 if it needs one that the project does not have
 */
export function compilerFor(file: string, flags: readonly string[]): string | null {
  if (!/\.[cm]?tsx?$/.test(file) || Reflect.get(process.features, 'typescript') || hasLoader(flags))
    return null
  const compiler = compilerBeside(file)
  if (compiler !== null) return compiler
  throw new CommandError(
    3,
    `Node.js ${process.version} does not run TypeScript: ${file}
Install a compiler (npm install --save-dev tsx), or give what was compiled (--app dist/app.js).
`,
  )
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
