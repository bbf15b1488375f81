import { dropRejection } from './errors.ts'

const LEVELS: ReadonlySet<string> = new Set(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])

/** Whether a logger has a level: a standard one, or one that was added to this logger. */
export function hasLogLevel(log: object, level: string): boolean {
  const known = LEVELS.has(level) || Object.hasOwn(log, level)
  return known && typeof Reflect.get(log, level) === 'function'
}

/** Logs a refusal with the logger of the request, never the token. */
export function logRefusal(log: object, level: string | null, error: Error): void {
  if (level !== null) write(log, level, 'unauthorized: %s', error.message)
}

/** Logs an `auth` function that failed, with the logger of the request. */
export function logFailure(log: object, error: Error): void {
  write(log, 'error', { err: error }, 'the auth function failed')
}

/** A failing logger must not affect a request. */
function write(log: object, level: string, ...entry: unknown[]): void {
  try {
    const method: unknown = Reflect.get(log, level)
    if (typeof method === 'function') dropRejection(Reflect.apply(method, log, entry))
  } catch (failure) {
    dropRejection(failure)
  }
}
