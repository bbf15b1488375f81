// An exchange without any object of Node's HTTP: the proof that the contract of transports needs none.
import { Readable } from 'node:stream'

import type { ByteStream } from '../../../packages/cloister/src/exchange/byte-stream.ts'
import type {
  BodyReceiver,
  Content,
  Exchange,
  Outcome,
  Peer,
  RequestHeaders,
  ResponseHeaders,
  StreamObserver,
  TrailerSource,
} from '../../../packages/cloister/src/exchange/exchange.ts'
import { explainHeaders } from '../../../packages/cloister/src/exchange/field-lines.ts'
import { declareLength, framingOf, headerText } from '../../../packages/cloister/src/exchange/message-head.ts'
import { prematureClose } from '../../../packages/cloister/src/exchange/outcome.ts'
import { readStream } from '../../../packages/cloister/src/transport/streams/read-stream.ts'
import { pipeStream } from '../../../packages/cloister/src/transport/streams/write-stream.ts'
import { joinLines } from './memory-request.ts'
import type { MemoryRequest } from './memory-request.ts'
import type { MemoryResponse } from './memory-response.ts'
import { MemorySink } from './memory-sink.ts'

/** Bodies up to so many bytes are there at once; longer ones arrive in pieces of this size. */
const PIECE = 32

export class MemoryExchange implements Exchange {
  readonly request: MemoryRequest
  readonly response: MemoryResponse
  readonly target: string
  readonly originalTarget: string
  readonly httpVersion = '1.1'
  readonly isHttp2 = false
  readonly node = null
  readonly supportsContentOf205 = true
  readonly supportsTrailers = true
  readonly vettedLines = null
  readonly peer: Peer = { address: '127.0.0.1', port: 50_000, isEncrypted: false }
  readonly headers: RequestHeaders
  readonly framing: Exchange['framing']
  readonly bodyLength: number | null
  #isLast = false
  #stream: Readable | null = null

  constructor(request: MemoryRequest, response: MemoryResponse, target: string = request.target) {
    this.request = request
    this.response = response
    this.target = target
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

  readBody(
    replacement: ByteStream | null,
    limit: number,
    as: 'text' | 'bytes',
    receiver: BodyReceiver,
  ): unknown {
    const { body } = this.request
    if (replacement === null && body.length <= Math.min(PIECE, limit) && body.length === this.bodyLength) {
      receiver.receive(as === 'text' ? Buffer.from(body).toString() : Buffer.from(body))
      return undefined
    }
    return readStream(this, replacement, limit, as, receiver)
  }

  get headersSent(): boolean {
    return this.response.head !== null
  }

  get ended(): boolean {
    return this.response.outcome !== undefined
  }

  get aborted(): boolean {
    const { outcome } = this.response
    return outcome !== undefined && outcome !== null
  }

  send(status: number, headers: ResponseHeaders, content: Content | null): void {
    if (content !== null) {
      declareLength(this.method, headers, content)
      delete headers['transfer-encoding']
    }
    this.response.writeHead(status, this.#check(headers))
    if (content !== null && this.method !== 'HEAD') this.response.write(content)
    this.response.end(null)
  }

  sendStream(
    status: number,
    headers: ResponseHeaders,
    source: ByteStream | ReadableStream,
    trailers: TrailerSource | null,
    observer: StreamObserver,
  ): void {
    const response = new MemorySink(this.response, { status, headers: this.#check(headers) })
    pipeStream({ exchange: this, response, source, trailers, observer })
  }

  sendWithTrailers(
    status: number,
    headers: ResponseHeaders,
    content: Content | null,
    trailers: TrailerSource,
  ): void {
    delete headers['content-length']
    this.response.writeHead(status, this.#check(headers))
    if (content !== null) this.response.write(content)
    const end = (): void => this.response.end(null)
    trailers().then((fields) => {
      this.response.trailers = fields
      end()
    }, end)
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

  onAbort(callback: () => void): void {
    this.response.onEnd((outcome) => {
      if (outcome !== null) callback()
    })
  }

  /** Nothing times out in memory. */
  onTimeout(): void {}

  withTarget(target: string): Exchange {
    return new MemoryExchange(this.request, this.response, target)
  }

  /** Returns a copy of the headers as they go out. */
  #check(headers: ResponseHeaders): ResponseHeaders {
    const fault = explainHeaders(headers, null)
    if (fault !== null) throw fault
    return this.#isLast ? { ...headers, connection: 'close' } : { ...headers }
  }
}

function* pieces(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += PIECE)
    yield Buffer.from(body.subarray(start, start + PIECE))
}
