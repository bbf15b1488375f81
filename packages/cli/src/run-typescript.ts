import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

import { CommandError } from './session.ts'

/**
 * Makes imports of TypeScript work, on versions of Node.js that do not run it: by `tsx`, if the project has it.
 *
 * @param file - the file of the app
 * @throws CommandError with the code 3 when neither runs it
 */
export async function runTypeScript(file: string): Promise<void> {
  if (!/\.[cm]?tsx?$/.test(file) || Reflect.get(process.features, 'typescript') || hasLoader()) return
  const compiler = resolveFrom(file, 'tsx')
  if (compiler === null) {
    throw new CommandError(
      3,
      `Node.js ${process.version} does not run TypeScript: ${file}
Install a compiler (npm install --save-dev tsx), or give what was compiled (--app dist/app.js).
`,
    )
  }
  await import(pathToFileURL(compiler).href)
}

/** Whether the user has brought a loader, as in `NODE_OPTIONS='--import tsx'`. */
function hasLoader(): boolean {
  const given = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ')
  return /--(?:import|require|loader|experimental-loader|r)\b/.test(given)
}

function resolveFrom(file: string, name: string): string | null {
  try {
    return createRequire(file).resolve(name)
  } catch {
    return null
  }
}
