import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

import { CommandError } from './session.ts'

const FOLDERS = ['', 'src', 'dist']
// Compiled files come first, because not every Node.js runs the sources.
const ENDINGS = ['js', 'mjs', 'cjs', 'ts', 'mts']

/**
 * Finds the file of the app.
 *
 * @param given - the path from the user; `undefined` for one of the usual names
 * @throws CommandError with the code 3 if there is none
 */
export function findApp(given: string | undefined, folder: string): string {
  if (given !== undefined) {
    const file = path.resolve(folder, given)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found !== undefined && !found.isDirectory()) return file
    const fault = found === undefined ? `there is no file ${file}` : `${file} is a folder`
    throw new CommandError(3, `${fault}; give the file that exports the app: --app src/app.js\n`)
  }
  const usual = ENDINGS.flatMap((ending) => FOLDERS.map((one) => path.join(folder, one, `app.${ending}`)))
  const found = usual.find((file) => existsSync(file))
  if (found !== undefined) return newerSource(found, folder) ?? found
  throw new CommandError(
    3,
    `no app.js, src/app.js or dist/app.js in ${folder}; give the file that exports the app: --app server.js\n`,
  )
}

/** Returns the source of a file in `dist`, if it has changed since it was compiled and says so. */
function newerSource(file: string, folder: string): string | null {
  if (path.dirname(file) !== path.join(folder, 'dist')) return null
  const source = ['ts', 'mts'].map((ending) => path.join(folder, 'src', `app.${ending}`)).find(existsSync)
  if (source === undefined || statSync(source).mtimeMs <= statSync(file).mtimeMs) return null
  const [newer, older] = [source, file].map((one) => path.relative(folder, one))
  process.stderr.write(`cloister: ${newer} is newer than ${older}, and is used\n`)
  return source
}
