import {
  HTTP1,
  type Protocol,
  type BodyReceiver,
  type Content,
  type ContentWriter,
  type Exchange,
  type Peer,
  type ReadAs,
  type ResponseHeaders,
} from '../../exchange/exchange.ts'
import type { ServerResponse } from 'node:http'
import { Exchange as Http1Exchange, type Connection } from '@cloister/wire'

import type { ByteStream } from '../../exchange/streams.ts'
import { explainHead } from '../../exchange/message-head.ts'
import type { NodeAccess } from '../../exchange/node-access.ts'
import { NodeExchange } from '../raw/node-exchange.ts'
import { readStream } from '../streams/body-reader.ts'

/** The exchange over the wire. It also implements the access to Node's objects, which are created on first use. */
export class WireExchange extends Http1Exchange implements Exchange, NodeAccess {
  readonly originalTarget: string
  isTaken: boolean
  readonly node: NodeAccess

  constructor(connection: Connection, bytes: Buffer, start: number, end: number) {
    super(connection, bytes, start, end)
    this.originalTarget = this.target
    this.isTaken = false
    this.node = this
  }

  get httpVersion(): string {
    return '1.1'
  }

  get protocol(): Protocol {
    return HTTP1
  }

  /** The scanner has checked version, target, Host and transfer coding. */
  get vettedLines(): number | null {
    return this.isAdmissible ? this.lineCount : null
  }

  get peer(): Peer {
    const { socket, isEncrypted } = this.connection
    return { address: socket.remoteAddress, port: socket.remotePort, isEncrypted }
  }

  get bodyStream(): ByteStream {
    return this.raw.request
  }

  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown {
    if (replacement === null && !this.isReadRaw) return this.collect(limit, as, receiver)
    return readStream(this, replacement, limit, as, receiver)
  }

  /** What is set on Node's response is merged by names. */
  get takesLines(): boolean {
    return !this.hasRaw
  }

  override send(
    status: number,
    headers: ResponseHeaders,
    content: Content | null,
    lines?: string,
  ): string | null {
    try {
      return super.send(status, headers, content, lines)
    } catch (cause) {
      throw explainHead(headers, cause)
    }
  }

  override open(status: number, headers: ResponseHeaders, hasTrailers: boolean): ContentWriter {
    try {
      return super.open(status, headers, hasTrailers)
    } catch (cause) {
      throw explainHead(headers, cause)
    }
  }

  sendEarlyHints(hints: Readonly<Record<string, string | string[]>>, written?: () => void): void {
    const headers: ResponseHeaders = { ...hints }
    try {
      this.inform(103, headers, written)
    } catch (cause) {
      throw explainHead(headers, cause)
    }
  }

  get request(): object {
    return this.raw.request
  }

  get madeRequest(): object | null {
    return this.hasRaw && this.raw.hasRequest ? this.raw.request : null
  }

  get response(): ServerResponse {
    this.isTaken = true
    return this.raw.response
  }

  onResponseError(callback: (error: unknown) => void): void {
    this.raw.response.on('error', callback)
  }

  over(request: object | null, response: object | null): Exchange {
    const { raw, originalTarget } = this
    return new NodeExchange(raw.request, raw.response, true, originalTarget).node.over(request, response)
  }
}
