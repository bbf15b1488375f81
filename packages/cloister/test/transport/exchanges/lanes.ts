// Exchanges of a server on the loopback, one for each request, handed to a test as they come.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import { createNullLogger } from '../../../src/logging/logger.ts'
import { checkOptions } from '../../../src/options/check-options.ts'
import { NodeExchange } from '../../../src/transport/raw/node-exchange.ts'
import type { TransportHost } from '../../../src/transport/transport.ts'
import { attachWire } from '../../../src/transport/wire/attach-wire.ts'

/** Handles one exchange. What it throws, or rejects with, fails the test. */
export type Handle = (exchange: Exchange) => unknown

function overNode(handle: Handle): Server {
  return createServer((request, response) => void handle(new NodeExchange(request, response, true)))
}

function overWire(handle: Handle): Server {
  const server = createServer()
  const receive = (exchange: Exchange): void => void handle(exchange)
  const host: TransportHost = Object({
    options: checkOptions({ transport: 'auto' }),
    phase: 'open',
    intake: { receive },
    logger: createNullLogger(),
  })
  const { name, reason } = attachWire(server, () => {}, host, { asked: 'auto', by: 'a test' })
  if (name !== 'wire') throw new Error(`the wire does not serve the test: ${reason}`)
  return server
}

/** What exchanges come over, by name. */
export const LANES: readonly (readonly [name: string, create: (handle: Handle) => Server])[] = [
  ['node:http', overNode],
  ['the wire', overWire],
]

/** A connection to a server that handles its requests so. */
export class Client {
  readonly server: Server
  readonly #handled: Promise<unknown>[] = []
  #socket: Socket | null = null
  text = ''

  constructor(create: (handle: Handle) => Server, handle: Handle) {
    this.server = create((exchange) => {
      const handled = (async () => handle(exchange))()
      this.#handled.push(handled)
      handled.catch(() => this.leave())
    })
  }

  /** Writes bytes of a request. */
  async write(bytes: string): Promise<void> {
    this.#socket ??= await this.#open()
    this.#socket.write(bytes)
  }

  async #open(): Promise<Socket> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    const { port }: AddressInfo = Object(this.server.address())
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk) => (this.text += chunk.toString('latin1')))
    socket.on('error', () => {})
    return socket
  }

  leave(): void {
    this.#socket?.destroy()
  }

  /** What comes until the server closes the connection, or it is left. */
  async received(): Promise<string> {
    const socket = this.#socket
    if (socket !== null && !socket.closed) await once(socket, 'close')
    this.server.close()
    await Promise.all(this.#handled)
    return this.text
  }
}

/** A head with the lines given, of a request that ends its connection. */
export const head = (target: string, ...lines: readonly string[]): string =>
  [`${target} HTTP/1.1`, 'Host: a', 'Connection: close', ...lines, '', ''].join('\r\n')
