// A server with the engine, and a client that writes bytes as they are.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { attach, Exchange } from '../../src/index.ts'
import type { Attachment } from '../../src/index.ts'

export interface Served {
  readonly server: Server
  readonly attachment: Attachment
  /** Writes pieces on a new connection, and reads until it is closed or `until` has come. */
  ask(pieces: string | readonly string[], until?: string): Promise<string>
  open(): Promise<Socket>
}

type OnNode = (request: IncomingMessage, response: ServerResponse) => void

/** @param onNode - the listener of requests that are left to Node */
export async function serve(handler: (exchange: Exchange) => void, onNode?: OnNode): Promise<Served> {
  const server = createServer(onNode ?? ((_request, response) => response.end('by node')))
  const attachment = attach(server, handler, { Exchange, checkingInterval: 20 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const ask = async (given: string | readonly string[], until?: string): Promise<string> => {
    const socket = await open()
    let text = ''
    const closed = new Promise<void>((resolve) => {
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1')
        if (until !== undefined && text.includes(until)) socket.destroy()
      })
    })
    for (const piece of typeof given === 'string' ? [given] : given) {
      if (socket.destroyed) break
      socket.write(piece, 'latin1')
      await turn()
      await turn()
    }
    await closed
    return text
  }
  return { server, attachment, ask, open }
}

/** Until the end of this turn of the event loop; sockets are read between two of them. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A request without a body. */
export const get = (target: string, ...lines: string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n')

/** The statuses of the responses in a text. */
export const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))
