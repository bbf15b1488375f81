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

/** A header that responses have, for documents. */
interface SentHeader {
  readonly description: string
  readonly type: 'string' | 'integer'
  /** the statuses of responses that have it; without them, all */
  readonly statuses?: readonly string[]
}

/** Methods whose responses have an entity tag. */
const READ: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY'])

/** Returns the headers that the plugin sends for requests of a route, besides those that are decided at boot. */
export function sentHeadersOf(
  { conditional, decompression, limit, version }: Settings,
  { method }: { readonly method: string | readonly string[] },
  hasSignedCookies: boolean,
): Readonly<Record<string, SentHeader>> {
  const isRead = [method].flat().every((one) => READ.has(one.toUpperCase()))
  const sent: Record<string, SentHeader> = {}
  if (isRead && (conditional !== false || version !== null))
    sent['ETag'] = {
      description: 'The version of the content',
      type: 'string',
      statuses: ['200', '2XX', '304'],
    }
  if (!isRead && decompression !== null)
    sent['Accept-Encoding'] = {
      description: 'The content codings that are read',
      type: 'string',
      statuses: ['415'],
    }
  if (hasSignedCookies)
    sent['Set-Cookie'] = { description: 'A cookie whose key was exchanged, signed anew', type: 'string' }
  if (limit === null) return sent
  sent['Retry-After'] = { description: 'The seconds to wait', type: 'integer', statuses: ['429'] }
  if (limit.hasFields) {
    sent['RateLimit'] = {
      description: 'The requests that are left, and the seconds until all are',
      type: 'string',
    }
    sent['RateLimit-Policy'] = { description: 'The limit, and its period in seconds', type: 'string' }
  }
  return sent
}
