import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'

import { JSON_CONTENT } from '../body/media-type.ts'
import type { ByteStream } from '../exchange/streams.ts'
import { STATUS_TEXT } from '../exchange/status-text.generated.ts'
import { toBytes } from '../bytes.ts'
import { isNodeStream } from '../request/payload-kind.ts'
import { toContentStream } from '../transport/streams/content-stream.ts'

interface RawRequest {
  readonly raw?: IncomingMessage
}

/**
 * A reply for a raw response outside of routes. Integrations build one themselves: NestJS does so for responses that
 * middleware sends. It has the methods of `Reply` that make sense without a route: no hooks, no schema, no context.
 */
class RawReply {
  readonly raw: ServerResponse
  readonly request: RawRequest
  readonly log: unknown

  constructor(raw: ServerResponse, request: RawRequest, log: unknown) {
    this.raw = raw
    this.request = request
    this.log = log
  }

  get sent(): boolean {
    return this.raw.headersSent || this.raw.writableEnded
  }

  get statusCode(): number {
    return this.raw.statusCode
  }

  set statusCode(status: number) {
    this.raw.statusCode = status
  }

  code(status: number): this {
    this.raw.statusCode = status
    return this
  }

  status(status: number): this {
    return this.code(status)
  }

  header(name: string, value: OutgoingHttpHeader): this {
    this.raw.setHeader(name, value)
    return this
  }

  headers(values: Readonly<Record<string, OutgoingHttpHeader>>): this {
    for (const [name, value] of Object.entries(values)) this.header(name, value)
    return this
  }

  type(mediaType: string): this {
    return this.header('content-type', mediaType)
  }

  getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.raw.getHeader(name)
  }

  getHeaders(): OutgoingHttpHeaders {
    return this.raw.getHeaders()
  }

  hasHeader(name: string): boolean {
    return this.raw.hasHeader(name)
  }

  removeHeader(name: string): this {
    this.raw.removeHeader(name)
    return this
  }

  send(payload?: unknown): this {
    const bytes = toBytes(payload)
    if (payload === undefined || payload === null) this.raw.end()
    else if (typeof payload === 'string') this.#end(payload, 'text/plain; charset=utf-8')
    else if (bytes !== null) this.#end(bytes, 'application/octet-stream')
    else if (payload instanceof Error) this.#sendError(payload)
    else if (isNodeStream(payload)) this.#sendStream(payload)
    else this.#end(JSON.stringify(payload), JSON_CONTENT)
    return this
  }

  #end(payload: string | Buffer, mediaType: string): void {
    if (!this.hasHeader('content-type')) this.type(mediaType)
    if (!this.hasHeader('content-length')) this.header('content-length', Buffer.byteLength(payload))
    this.raw.end(payload)
  }

  #sendStream(given: ByteStream): void {
    const source = toContentStream(given)
    source.once('error', (error: Error) => {
      source.unpipe(this.raw)
      if (this.sent) this.raw.destroy()
      else this.#sendError(error)
    })
    this.raw.once('close', () => source.destroy())
    source.pipe(this.raw)
  }

  #sendError(error: Error): void {
    const given = 'statusCode' in error ? error.statusCode : undefined
    const statusCode = typeof given === 'number' ? given : Math.max(this.statusCode, 500)
    for (const name of ['content-type', 'content-length']) this.removeHeader(name)
    const facts = { statusCode, error: STATUS_TEXT[statusCode] ?? 'Unknown', message: error.message }
    this.code(statusCode).#end(JSON.stringify(facts), JSON_CONTENT)
  }
}

/** The constructor that integrations import from `fastify/lib/reply`. */
export default RawReply
