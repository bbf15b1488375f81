// An exchange without any object of Node's HTTP, which proves that the contract of transports needs none.
import { HTTP1 } from '../../../packages/cloister/src/exchange/exchange.ts'
import type {
  Protocol,
  BodyReceiver,
  Content,
  ContentWriter,
  Exchange,
  Peer,
  ReadAs,
  RequestHeaders,
  ResponseHeaders,
  Turn,
} from '../../../packages/cloister/src/exchange/exchange.ts'
import type { Outcome } from '../../../packages/cloister/src/exchange/ends.ts'
import { Readable } from 'node:stream'
import { checkFields, checkStatus, frame } from '@cloister/wire/message'
import { prematureClose, STREAMED } from '@cloister/wire/message/internal'
import type { Framing } from '@cloister/wire/message'

import type { ByteStream } from '../../../packages/cloister/src/exchange/streams.ts'
import {
  explainHead,
  byteLengthOf,
  framingOf,
  headerText,
} from '../../../packages/cloister/src/exchange/message-head.ts'
import { readStream } from '../../../packages/cloister/src/transport/streams/body-reader.ts'
import { joinLines } from './memory-request.ts'
import type { MemoryRequest } from './memory-request.ts'
import type { Head, MemoryResponse } from './memory-response.ts'
import { MemoryWriter } from './memory-writer.ts'

/** Bodies up to this many bytes are complete at once; longer ones arrive in pieces of this size. */
const PIECE = 32

export class MemoryExchange implements Exchange {
  readonly request: MemoryRequest
  readonly response: MemoryResponse
  target: string
  readonly originalTarget: string
  readonly httpVersion = '1.1'
  readonly protocol: Protocol = HTTP1
  readonly node = null
  readonly takesLines = false
  readonly vettedLines = null
  readonly peer: Peer = { address: '127.0.0.1', port: 50_000, isEncrypted: false }
  readonly headers: RequestHeaders
  readonly framing: Exchange['framing']
  readonly bodyLength: number | null
  #isLast = false
  #stream: Readable | null = null

  constructor(request: MemoryRequest, response: MemoryResponse) {
    this.request = request
    this.response = response
    this.target = request.target
    this.originalTarget = request.target
    this.headers = joinLines(request.headerLines)
    this.framing = framingOf(this.headers)
    this.bodyLength = this.framing === 'length' ? Number(this.header('content-length')) : null
  }

  get method(): string {
    return this.request.method
  }

  get headerLines(): readonly string[] {
    return this.request.headerLines
  }

  header(name: string): string | undefined {
    return headerText(this.headers, name)
  }

  get bodyStream(): ByteStream {
    this.#stream ??= Readable.from(pieces(this.request.body), { objectMode: false })
    return this.#stream
  }

  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown {
    const { body } = this.request
    if (replacement === null && body.length <= Math.min(PIECE, limit) && body.length === this.bodyLength) {
      receiver.receive(as === 'text' ? Buffer.from(body).toString() : Buffer.from(body))
      return undefined
    }
    return readStream(this, replacement, limit, as, receiver)
  }

  get turn(): Turn {
    return this.response.turn
  }

  send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    const size = content === null ? 0 : byteLengthOf(content)
    const { framing, head } = this.#compose(status, headers, size, false)
    this.response.writeHead(head)
    if (content !== null && framing.by !== 'none') this.response.write(content)
    this.response.end(null)
    return framing.contradiction
  }

  open(status: number, headers: ResponseHeaders, hasTrailers: boolean): ContentWriter {
    const { framing, head } = this.#compose(status, headers, STREAMED, hasTrailers)
    return new MemoryWriter(this.response, head, framing)
  }

  #compose(
    status: number,
    headers: ResponseHeaders,
    size: number,
    hasTrailers: boolean,
  ): { readonly framing: Framing; readonly head: Head } {
    const { method } = this
    const said = { length: headers['content-length'], coding: headers['transfer-encoding'] }
    const framing = frame({ method, status, httpVersion: '1.1', size, hasTrailers }, said)
    delete headers['transfer-encoding']
    if (framing.length === null) delete headers['content-length']
    else headers['content-length'] = framing.length
    return { framing, head: { status, headers: this.#check(status, headers) } }
  }

  sendEarlyHints(hints: Readonly<Record<string, string | string[]>>, written?: () => void): void {
    this.response.hints.push(hints)
    if (written !== undefined) queueMicrotask(written)
  }

  endConnection(): void {
    this.#isLast = true
  }

  abort(error?: Error): void {
    this.response.end(error ?? prematureClose())
  }

  onFinished(callback: (outcome: Outcome) => void): void {
    this.response.onEnd(callback)
  }

  /** Nothing times out in memory. */
  onTimeout(): void {}

  /** Returns a copy of the headers as they are sent. */
  #check(status: number, headers: ResponseHeaders): ResponseHeaders {
    try {
      checkStatus(status)
      checkFields(headers)
    } catch (cause) {
      throw explainHead(headers, cause)
    }
    return this.#isLast ? { ...headers, connection: 'close' } : { ...headers }
  }
}

function* pieces(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += PIECE)
    yield Buffer.from(body.subarray(start, start + PIECE))
}
