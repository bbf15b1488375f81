import { createError } from '../../errors.ts'
import type { OnlyRoute } from '../../request/services.ts'
import { kExchange } from '../../symbols.ts'
import { FetchExchange } from './fetch-exchange.ts'
import { look } from '../../foreign.ts'
import { isFunction } from '../../guards.ts'

/** A platform value for the handlers of one request. Only the context that created it can read it. */
export interface FetchContextValue {
  /** The context that created it. */
  readonly of: object
}

/**
 * Typed values that a platform passes with each request (bindings, `waitUntil`), from the worker's entry to the
 * handlers.
 */
export class FetchContext<T> {
  readonly #values = new WeakMap<FetchContextValue, T>()

  /** Wraps the value of one request. Pass the result as the member `context` in `toFetch`. */
  with(value: T): FetchContextValue {
    const wrapped: FetchContextValue = Object.freeze({ of: this })
    this.#values.set(wrapped, value)
    return wrapped
  }

  /**
   * Returns the value of a request.
   *
   * @throws `CLO_ERR_FETCH_CONTEXT_MISSING` if the request has none: it arrived over another transport, or the worker's
   * handler did not pass one
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
 * Creates a typed context for the values that a platform passes with each request.
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

/** Facts about a request that the platform provides in addition to the request itself. */
export interface FetchPlatform {
  /** the address of the client, for `request.ip` */
  readonly clientAddress?: string | null | undefined
  /** platform values for the handlers, from `fetchContext().with(…)` */
  readonly context?: FetchContextValue | undefined
  /** the server of Bun, which opens WebSockets; `app.fetch` reads it itself */
  readonly server?: unknown
  /**
   * whether the platform's server writes the `Content-Length` of complete content itself, so that the `Response` has
   * none: for Deno, whose server is faster then. `app.fetch` sets it itself.
   */
  readonly writesLength?: boolean | undefined
  /**
   * The one route that the request may reach, from `inspectRoutes`. If its path, a constraint or `rewriteUrl` leads to
   * another one, or to none, no hook and no handler runs, and the handler of `toFetch` rejects with
   * `CLO_ERR_FETCH_ROUTE_OTHER`.
   */
  readonly route?: OnlyRoute | undefined
}

/**
 * Reads the client's address from the second argument of a fetch handler: `info.remoteAddr` (Deno),
 * `server.requestIP(request)` (Bun).
 */
export function readPlatform(request: Request, ...[info]: readonly unknown[]): FetchPlatform {
  if (info === undefined) return NOTHING
  const hostname = look(look(info, 'remoteAddr'), 'hostname')
  if (typeof hostname === 'string') return { clientAddress: hostname, writesLength: true }
  const requestIP = look(info, 'requestIP')
  if (!isFunction(requestIP)) return NOTHING
  const clientAddress = addressOf(requestIP.call(info, request))
  return clientAddress === undefined ? { server: info } : { clientAddress, server: info }
}

const NOTHING: FetchPlatform = {}

function addressOf(peer: unknown): string | undefined {
  const address = look(peer, 'address')
  return typeof address === 'string' ? address : undefined
}

/**
 * Returns the platform's facts about a request, to pass them on with a request that the application makes on its
 * behalf: the client's address, and the value of a {@link FetchContext}. Over other transports it returns only the
 * address.
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
  const clientAddress = addressOf(look(exchange, 'peer'))
  return clientAddress === undefined ? {} : { clientAddress }
}
