import {
  HTTP1,
  type Protocol,
  type BodyReceiver,
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
  /** The scanner has checked version, target, Host and transfer coding. */
  readonly vettedLines: number | null
  isTaken: boolean
  readonly node: NodeAccess

  constructor(connection: Connection, bytes: Buffer, start: number, end: number) {
    super(connection, bytes, start, end)
    this.originalTarget = this.target
    this.vettedLines = this.isAdmissible ? this.lineCount : null
    this.isTaken = false
    this.node = this
  }

  get httpVersion(): string {
    return '1.1'
  }

  get protocol(): Protocol {
    return HTTP1
  }

  get peer(): Peer {
    return this.connection.peer
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

  protected override explain(headers: Readonly<ResponseHeaders>, cause: unknown): unknown {
    return explainHead(headers, cause)
  }

  sendEarlyHints(hints: Readonly<Record<string, string | string[]>>, written?: () => void): void {
    this.inform(103, { ...hints }, written)
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
