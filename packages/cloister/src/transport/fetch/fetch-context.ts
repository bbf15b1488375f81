import { createError } from '../../errors.ts'
import { kExchange } from '../../symbols.ts'
import { FetchExchange } from './fetch-exchange.ts'
import { isFunction, isRecord } from '../../guards.ts'

/** A value of a platform on its way to the handlers of one request. Only the context that made it can read it. */
export interface FetchContextValue {
  /** The context that made the value, and can read it. */
  readonly of: object
}

/**
 * What a platform hands over with each request (bindings, `waitUntil`), typed from the entry of the worker to its
 * handlers.
 */
export class FetchContext<T> {
  readonly #values = new WeakMap<FetchContextValue, T>()

  /** Wraps the value of one request, for the member `context` of what `toFetch` is given. */
  with(value: T): FetchContextValue {
    const wrapped: FetchContextValue = Object.freeze({ of: this })
    this.#values.set(wrapped, value)
    return wrapped
  }

  /**
   * Returns the value of a request.
   *
   * @throws `CLO_ERR_FETCH_CONTEXT_MISSING` when the request brought none: it came over another transport, or the
   * handler of the worker does not hand one over
   */
  get(request: object): T {
    const exchange: unknown = Reflect.get(request, kExchange)
    const wrapped = exchange instanceof FetchExchange ? exchange.context : undefined
    const value = wrapped === undefined ? undefined : this.#values.get(wrapped)
    if (value === undefined) throw createError('FETCH_CONTEXT_MISSING', {})
    return value
  }
}

/**
 * Makes a typed context: what a platform hands over with each request, for the handlers.
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { fetchContext, toFetch } from 'cloister/fetch'
 *
 * interface Env { readonly GREETING: string }
 * const env = fetchContext<Env>()
 * const app = cloister()
 * app.get('/', (request) => ({ hello: env.get(request).GREETING }))
 * export default { fetch: toFetch(app, (_request, bindings: Env) => ({ context: env.with(bindings) })) }
 * ```
 */
export function fetchContext<T>(): FetchContext<T> {
  return new FetchContext<T>()
}

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

/**
 * Returns what the platform said of a request, for a request that the application makes in its name: the address of the
 * client, and the value of a {@link FetchContext}. Over other transports, the address alone.
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { platformOf, toFetch } from 'cloister/fetch'
 *
 * const app = cloister()
 * const call = toFetch(app, (_request, caller: object) => platformOf(caller))
 * app.get('/ip', (request) => ({ ip: request.ip }))
 * app.get('/same', async (request) => (await call(new Request('http://localhost/ip'), request)).json())
 * ```
 */
export function platformOf(request: object): FetchPlatform {
  const exchange: unknown = Reflect.get(request, kExchange)
  if (exchange instanceof FetchExchange) {
    return { clientAddress: exchange.peer.address, context: exchange.context }
  }
  const peer: unknown = isRecord(exchange) ? exchange['peer'] : undefined
  return isRecord(peer) && typeof peer['address'] === 'string' ? { clientAddress: peer['address'] } : {}
}
