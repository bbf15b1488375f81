import { channel, type Channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What Node publishes about a request. */
export interface ServedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
  readonly server: Server
}

/** Gets a message when a request has arrived, before anything handles it. */
export const started: Channel = channel('http.server.request.start')
/** Gets one when the last byte of a response was handed to the system. */
export const finished: Channel = channel('http.server.response.finish')
/** Gets one from the constructor of Node's responses. */
export const created: Channel = channel('http.server.response.created')
