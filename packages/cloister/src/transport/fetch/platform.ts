import { isFunction, isRecord } from '../../functions.ts'
import type { FetchContextValue } from './fetch-context.ts'

/** What a platform says of one request beside the request itself. */
export interface FetchPlatform {
  /** the address of the client; `request.ip` */
  readonly clientAddress?: string | null | undefined
  /** what handlers get of the platform; made by `fetchContext().with(…)` */
  readonly context?: FetchContextValue | undefined
}

/**
 * Reads the client's address from what run times hand to a fetch handler after the request: `info.remoteAddr` (Deno),
 * `server.requestIP(request)` (Bun).
 */
export function readPlatform(request: Request, ...args: readonly unknown[]): FetchPlatform {
  const [info] = args
  if (typeof info !== 'object' || info === null) return {}
  const remote: unknown = Reflect.get(info, 'remoteAddr')
  if (isRecord(remote) && typeof remote['hostname'] === 'string') return { clientAddress: remote['hostname'] }
  const requestIP: unknown = Reflect.get(info, 'requestIP')
  if (!isFunction(requestIP)) return {}
  const found: unknown = requestIP.call(info, request)
  return isRecord(found) && typeof found['address'] === 'string' ? { clientAddress: found['address'] } : {}
}
