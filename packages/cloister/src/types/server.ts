import type { AddressInfo } from 'node:net'
import type { CallbackFunc, Chain, InjectOptions, Response as InjectResponse } from 'light-my-request'

import type { RawReplyOf, RawRequestOf } from './raw.ts'

/**
 * Options of `listen`.
 *
 * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID` for an unknown option (with the most similar name) or an invalid value
 */
export interface ListenOptions {
  /**
   * Sets the TCP port, from 0 to 65535. 0 selects a free port.
   *
   * @default 0
   */
  port?: number
  /**
   * Sets the host name or address. `localhost` listens on all loopback addresses, `0.0.0.0` and `::` on all addresses
   * of the machine.
   *
   * @default 'localhost'
   */
  host?: string
  /** Listens on a Unix socket or Windows pipe, instead of host and port. */
  path?: string
  /**
   * Limits the queue of connections that wait to be accepted.
   *
   * @default 511, as in Node
   */
  backlog?: number
  /**
   * Doesn't share the port with other workers of a cluster.
   *
   * @default false
   */
  exclusive?: boolean
  /**
   * Lets all users read the socket at `path`.
   *
   * @default false
   */
  readableAll?: boolean
  /**
   * Lets all users write to the socket at `path`.
   *
   * @default false
   */
  writableAll?: boolean
  /**
   * Listens on IPv6 only with the host `::`, and not on IPv4.
   *
   * @default false
   */
  ipv6Only?: boolean
  /**
   * Lets several processes listen on the port, if the system and the version of Node support it.
   *
   * @default false
   */
  reusePort?: boolean
  /** Listens on an open file descriptor, instead of host and port. */
  fd?: number
  /** Closes the app when this signal aborts. */
  signal?: AbortSignal
  /**
   * Returns the text that is logged once the app listens.
   *
   * @default `Server listening at` and the address
   */
  listenTextResolver?: (address: string) => string
}

/** The server implementation that an app uses. */
export interface AppTransport {
  /** `wire` is the engine of `@cloister/wire`, `node` is `node:http` or `node:http2`. */
  readonly name: 'wire' | 'node'
  /** The value of `CLOISTER_TRANSPORT`, or of the option `transport`. */
  readonly asked: 'auto' | 'node'
  /** The reason for `name`, as text. */
  readonly reason: string
  /** The number of connections that the engine passed to Node's parser, by reason: `{ Upgrade: 3 }`. */
  readonly handedOver: Readonly<Record<string, number>>
}

// The compiler shows the error of the last overload: that of an object.

/** The methods of an instance for handling requests: listening, closing, and requests without a socket. */
export interface ServerMembers {
  /** The origin that the app listens at, such as `http://127.0.0.1:3000`; empty before `listen`. */
  readonly listeningOrigin: string
  /** Returns the addresses that the app listens at: objects with address, family and port, or paths of sockets. */
  addresses(): (AddressInfo | string)[]
  /** Boots the app and listens. Calls back with the error or the address. */
  listen(options: ListenOptions, callback: (error: Error | null, address: string) => void): void
  /** Boots the app and listens on a free port of `localhost`. Calls back with the error or the address. */
  listen(callback: (error: Error | null, address: string) => void): void
  /**
   * Boots the app and listens, with the arguments of Fastify 4.x: port, host, backlog, callback. Prefer the
   * options.
   */
  listen(port: number | string, callback: (error: Error | null, address: string) => void): void
  listen(port: number | string, host: string, callback: (error: Error | null, address: string) => void): void
  listen(
    port: number | string,
    host: string,
    backlog: number,
    callback: (error: Error | null, address: string) => void,
  ): void
  listen(port: number | string, host?: string, backlog?: number): Promise<string>
  /**
   * Boots the app and listens. Resolves to the address, such as `http://127.0.0.1:3000`.
   *
   * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID`, `CLO_ERR_REOPENED_SERVER`, `CLO_ERR_REOPENED_CLOSE_SERVER`, and Node's
   * errors such as `EADDRINUSE`
   * @example
   * ```ts
   * await app.listen({ port: 3000, host: '0.0.0.0' })
   * ```
   */
  listen(options?: ListenOptions): Promise<string>
  /**
   * Closes the app: runs `preClose`, stops listening, waits up to `closeGraceMs` for open requests, and runs `onClose`
   * from the last plugin to the first.
   */
  close(): Promise<undefined>
  /** Closes the app and calls back. */
  close(listener: () => void): undefined
  /** Closes the app at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<undefined>
  /**
   * Sends a request to the app without a socket. Boots the app first.
   *
   * @example
   * ```ts
   * const response = await app.inject({ method: 'POST', url: '/users', payload: { name: 'Ada' } })
   * console.log(response.statusCode, response.json())
   * ```
   */
  inject(options: InjectOptions | string): Promise<InjectResponse>
  inject(options: InjectOptions | string, callback: CallbackFunc): void
  inject(): Chain
  /** Handles a request of Node. Use it after `ready` as the listener of your own server. */
  routing(request: RawRequestOf, response: RawReplyOf): void
}

/** The members of an instance for handling requests that only Cloister has. */
export interface OwnServerMembers {
  /**
   * The current server implementation, with the reason. The option `transport` selects it; the environment variable
   * `CLOISTER_TRANSPORT` overrides the option.
   */
  readonly transport: AppTransport
  /**
   * Handles a request of the web platform (WHATWG Fetch): for `Bun.serve`, `Deno.serve`, workers, edge functions, and
   * tests. The app boots with the first request. The function also works detached from the app. For settings use
   * `toFetch` from `cloister/fetch`.
   *
   * @param platform - the platform's second argument; those of Bun and Deno provide the client's address
   * @returns a promise of the response; it rejects with the error of a failed boot, and if the signal of the request
   * aborts before the response has begun
   * @example
   * ```ts
   * const response = await app.fetch(new Request('http://localhost/books/7'))
   * ```
   */
  readonly fetch: (request: Request, ...platform: readonly unknown[]) => Promise<Response>
}
