import { userFrame } from './call-site.ts'
import { errorTable, type ErrorName } from './error-table.ts'

/** Where each code is an anchor. */
const PAGE = 'https://github.com/cloisterjs/cloister/blob/main/docs/errors.md'

/** Tests and production see errors without help: suites compare them, and logs are long enough. */
function isWanted(): boolean {
  const environment = typeof process === 'undefined' ? undefined : process.env['NODE_ENV']
  return environment !== 'production' && environment !== 'test'
}

/**
 * Says what to do about a mistake of the application, in development: the remedy, the line of the application, unless
 * the message has it, and the page with the error.
 *
 * @param below - the function that the framework asked for the error
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
