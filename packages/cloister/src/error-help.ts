import { userFrame } from './call-site.ts'
import { errorTable, type ErrorName } from './error-table.ts'

/** The page with an anchor for each code. */
const PAGE = 'https://github.com/cloisterjs/cloister/blob/main/docs/errors.md'

/** In tests and production errors have no help: test suites compare errors, and logs should stay short. */
function isWanted(): boolean {
  const environment = typeof process === 'undefined' ? undefined : process.env['NODE_ENV']
  return environment !== 'production' && environment !== 'test'
}

/**
 * Returns help for a mistake of the application, in development: the remedy, the line of the application (unless the
 * message contains it), and a link to the error's documentation.
 *
 * @param below - the function that the framework called to create the error
 * @returns `null` outside of development
 */
export function helpFor(
  name: ErrorName,
  message: string,
  below: (...args: never[]) => unknown,
): string | null {
  if (!isWanted()) return null
  const frame = userFrame(below)
  const at = frame === null || message.includes(frame) ? [] : [`It comes from ${frame}.`]
  const { help }: { readonly status: number; readonly help?: string } = errorTable[name]
  return [...(help === undefined ? [] : [help]), ...at, `See ${PAGE}#CLO_ERR_${name}`].join(' ')
}
