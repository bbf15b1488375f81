import type { Settings } from './settings.ts'

/** Methods that change nothing, so that any page may send them (RFC 9110 section 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Returns how the plugin refuses requests of a route, by status: as errors of the app. Its others are the framework's, too. */
export function refusalsOf(
  { trusted, version, requireVersion, limit }: Settings,
  { method }: { readonly method: string | readonly string[] },
): Readonly<Record<number, 'error'>> {
  const isSafe = [method].flat().every((one) => SAFE.has(one.toUpperCase()))
  return {
    ...(trusted !== null && !isSafe ? { 403: 'error' } : null),
    ...(version === null ? null : { 412: 'error' }),
    ...(requireVersion ? { 428: 'error' } : null),
    ...(limit === null ? null : { 429: 'error' }),
    ...(limit?.refusesOnFailure === true ? { 503: 'error' } : null),
  }
}
