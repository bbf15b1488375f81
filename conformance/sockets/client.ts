// A client of WebSockets, as published, and the lanes over which sockets are asked for.
import { once } from 'node:events'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { websocket } from '@cloister/websocket'
import type { SocketRouteMethod } from '@cloister/websocket'
import { cloister } from 'cloister'
import type { Cloister, Ctx } from 'cloister'
import { afterEach } from 'vitest'
import { certificate } from '../harness/certificate.ts'

/** The part of the client of `ws` that the tests use. */
export interface ClientSocket extends EventEmitter {
  readonly readyState: number
  readonly protocol: string
  readonly _socket: Socket
  send(data: string | Buffer): void
  close(code?: number, reason?: string): void
  terminate(): void
  pause(): void
  resume(): void
}

interface ClientOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly autoPong?: boolean
  readonly rejectUnauthorized?: boolean
}

const require = createRequire(import.meta.url)
const {
  WebSocket,
}: {
  readonly WebSocket: new (url: string, protocols: readonly string[], options: ClientOptions) => ClientSocket
} = require('ws')

/** The options of an app for each way in which connections come. */
export const LANES = {
  'node:http': { transport: 'node' },
  '@cloister/wire': { transport: 'auto' },
  'node:https': { transport: 'node', https: certificate() },
  '@cloister/wire over TLS': { transport: 'auto', https: certificate() },
} as const

/** An open socket of a client. */
export interface Client {
  readonly socket: ClientSocket
  /** the headers of the response that opened it */
  readonly headers: IncomingMessage['headers']
  /** Sends a message as JSON. */
  send(message: unknown): void
  /** Resolves to the next message, parsed. */
  next(): Promise<unknown>
  /** Resolves to the close code and the reason. */
  readonly closed: Promise<string>
}

/** Opens a socket; rejects with the status and the text of a response that refuses it. */
export async function connect(
  origin: string,
  path: string,
  options: ClientOptions & { readonly protocols?: readonly string[] } = {},
): Promise<Client> {
  const { protocols = [], ...own } = options
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, protocols, {
    rejectUnauthorized: false,
    ...own,
  })
  const messages: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  socket.on('message', (data: Buffer) => {
    const message: unknown = JSON.parse(data.toString())
    const waiter = waiting.shift()
    if (waiter === undefined) messages.push(message)
    else waiter(message)
  })
  let headers: IncomingMessage['headers'] = {}
  socket.once('upgrade', (response: IncomingMessage) => {
    headers = response.headers
  })
  const closed = new Promise<string>((resolve) => {
    socket.once('close', (code: number, reason: Buffer) => resolve(`${code} ${reason.toString()}`.trim()))
  })
  const refused = new Promise<never>((_resolve, reject) => {
    socket.once('unexpected-response', (_request: unknown, response: IncomingMessage) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => reject(new Error(`${response.statusCode} ${text}`)))
    })
  })
  await Promise.race([once(socket, 'open'), refused])
  // What the tests cut.
  socket.on('error', () => {})
  return {
    socket,
    headers,
    closed,
    send: (message) => socket.send(JSON.stringify(message)),
    next: () =>
      new Promise((resolve) => {
        if (messages.length > 0) resolve(messages.shift())
        else waiting.push(resolve)
      }),
  }
}

/** An app, and the lines of its log. */
export interface LoggedApp {
  readonly app: Cloister<Ctx<{ ws: SocketRouteMethod }>>
  readonly lines: Record<string, unknown>[]
}

/** Makes apps with `app.ws` that are closed after each test. */
export function useSocketApps(): (options?: object) => Promise<LoggedApp> {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
  })
  return async (options = {}) => {
    const lines: Record<string, unknown>[] = []
    const stream = { write: (line: string): void => void lines.push(JSON.parse(line)) }
    const app = cloister({ forceCloseConnections: true, logger: { level: 'info', stream }, ...options })
    open.push(app)
    return { app: await app.register(websocket), lines }
  }
}
