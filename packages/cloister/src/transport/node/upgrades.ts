import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { isFunction } from '../../guards.ts'
import type { NodeConnection } from '../../types/upgrade.ts'
import type { AnyServer, Listener } from './create-server.ts'

/** A connection whose client requests another protocol. */
interface Pending extends NodeConnection {
  /** a listener of the application may pass its request to the app first */
  isDispatched: boolean
}

/**
 * Requests for another protocol, which Node passes to the `upgrade` listeners of a server. They are handled like any
 * other request. Their response closes the connection, unless their handler takes it over.
 *
 * Plugins may have `upgrade` listeners too. These run first; afterwards, a request that they ignore is handled if its
 * path has a route that switches protocols.
 */
export class Upgrades {
  readonly #pending = new WeakMap<object, Pending>()
  /** Requests with a body for an unsupported protocol. */
  readonly #declined = new WeakSet<object>()
  readonly #handle: Listener
  readonly #protocols: ReadonlySet<string>
  readonly #isOwn: (target: string) => boolean
  readonly #afterResponses: (socket: Socket, next: () => void) => void

  /**
   * @param protocols - the protocols that routes switch to, in lower case
   * @param isOwn - returns whether the path of a target has a route that switches protocols
   * @param afterResponses - calls back after the responses to the requests that came before, and within if there are none
   */
  constructor(
    handle: Listener,
    protocols: ReadonlySet<string>,
    isOwn: (target: string) => boolean,
    afterResponses: (socket: Socket, next: () => void) => void,
  ) {
    this.#handle = handle
    this.#protocols = protocols
    this.#isOwn = isOwn
    this.#afterResponses = afterResponses
  }

  /** @returns a function that ends the watch */
  watch(server: AnyServer): () => void {
    this.#choose(server)
    const onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
      const shared = isShared(server)
      if (shared && !this.#isOwn(request.url ?? '/')) return
      // Node has removed its own listener.
      socket.on('error', destroy)
      if (!shared && !this.#isOffered(request)) {
        this.#afterResponses(socket, () => giveBack(server, request, socket, head))
        return
      }
      const pending = { request, socket, head, isDispatched: false }
      this.#pending.set(request, pending)
      this.#afterResponses(socket, () =>
        queueMicrotask(() => {
          if (!pending.isDispatched) this.#dispatch(request, socket)
        }),
      )
    }
    // Runs before listeners that pass the request to the app themselves.
    server.prependListener('upgrade', onUpgrade)
    return () => server.off('upgrade', onUpgrade)
  }

  /**
   * Declines before Node takes the body off the connection, because the body could not be put back. Node has such a
   * callback from 24.9 on.
   */
  #choose(server: AnyServer & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean }): void {
    const { shouldUpgradeCallback: isWanted } = server
    if (!isFunction(isWanted)) return
    server.shouldUpgradeCallback = (request) => {
      if (!isWanted.call(server, request)) return false
      if (isShared(server) || this.#isOffered(request) || !hasBody(request)) return true
      this.#declined.add(request)
      return false
    }
  }

  #isOffered({ headers }: IncomingMessage): boolean {
    return this.#protocols.has(headers.upgrade?.toLowerCase() ?? '')
  }

  #dispatch(request: IncomingMessage, socket: Socket): void {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => {
      socket.resume()
      socket.destroySoon()
    })
    this.#handle(request, response)
  }

  /** Returns whether a request may be handled. An upgrade request is handled only once. */
  begin(request: object, response: ServerResponse): boolean {
    const pending = this.#pending.get(request)
    if (pending === undefined) {
      // Node drops the bytes after such a request, so its response closes the connection.
      if (this.#declined.has(request)) response.shouldKeepAlive = false
      return true
    }
    if (pending.isDispatched) return false
    pending.isDispatched = true
    return true
  }

  /** Returns the connection of an upgrade request, once, to the code that uses the other protocol. */
  take(request: object): NodeConnection | null {
    const pending = this.#pending.get(request)
    if (pending === undefined) return null
    this.#pending.delete(request)
    pending.socket.off('error', destroy)
    return pending
  }
}

/** Returns whether the application or a plugin has its own upgrade listeners. */
function isShared(server: AnyServer): boolean {
  return server.listenerCount('upgrade') > 1
}

/** Returns whether a request has a body (RFC 9112 section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function destroy(this: Socket): void {
  this.destroy()
}

/** Fields of an upgrade request (RFC 9110 section 7.8, RFC 7540 section 3.2.1). */
const OF_UPGRADE = ['upgrade', 'http2-settings']

/**
 * Puts back a request for an unsupported protocol, for Node versions without that callback. The server parses it again
 * without the upgrade fields (RFC 9110 section 7.8). Clients that prefer HTTP/2 send these fields with each first
 * request, which may have a body.
 */
function giveBack(server: AnyServer, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const value = rawHeaders[at + 1] ?? ''
    if (OF_UPGRADE.includes(name.toLowerCase())) continue
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`)
  }
  socket.off('error', destroy)
  // After a response, Node waits for the next request no longer than `keepAliveTimeout`. This one has come.
  socket.setTimeout(0)
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}

function withoutUpgrade(value: string): string {
  const options = value.split(',').map((option) => option.trim())
  return options.filter((option) => !OF_UPGRADE.includes(option.toLowerCase())).join(', ')
}
