import { dropRejection } from './errors.ts'

const LEVELS: ReadonlySet<string> = new Set(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])

/** Whether a logger can write at a level: one of the usual names, or one that was added to this logger. */
export function hasLogLevel(log: object, level: string): boolean {
  const known = LEVELS.has(level) || Object.hasOwn(log, level)
  return known && typeof Reflect.get(log, level) === 'function'
}

/** Writes a refusal to the log of the request; never the token. */
export function logRefusal(log: object, level: string | null, error: Error): void {
  if (level !== null) write(log, level, 'unauthorized: %s', error.message)
}

/** Writes an `auth` function that could not decide to the log of the request. */
export function logFailure(log: object, error: Error): void {
  write(log, 'error', { err: error }, 'the auth function failed')
}

/** A logger that fails decides about no request. */
function write(log: object, level: string, ...entry: unknown[]): void {
  try {
    const method: unknown = Reflect.get(log, level)
    if (typeof method === 'function') dropRejection(Reflect.apply(method, log, entry))
  } catch (failure) {
    dropRejection(failure)
  }
}
