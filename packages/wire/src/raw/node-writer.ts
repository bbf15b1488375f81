import type { ServerResponse } from 'node:http'

import { BegunError, ContentWriter, type Trailers } from '../message/content-writer.ts'
import { checkFields, type ResponseHeaders } from '../message/field.ts'
import { STREAMED, type FieldValue, type Framing } from '../message/framing.ts'
import { PIECE, writePieces } from './pieces.ts'
import { decide, kWriter, turnOf, withdrawHead, type NodeMessage } from './send-by-node.ts'

/** How a stream is written. */
export interface NodeStream extends NodeMessage {
  readonly hasTrailers: boolean
  /** whether the application has Node's response */
  readonly isShared: boolean
}

/** A field that was set on a response. */
interface SetField {
  readonly name: string
  readonly value: FieldValue
  readonly before: FieldValue
}

/** The framing of a head that the application has written itself. */
const UNKNOWN: Framing = { by: 'close', length: null, contradiction: null }

/** Writes the content of a response with Node's code. The head is written with the first piece. */
export class NodeWriter extends ContentWriter {
  readonly #response: ServerResponse
  readonly #cut: () => void
  /** what is written before the first piece; `null` once it has been, or if the application has written a head */
  #head: { readonly status: number; readonly headers: ResponseHeaders } | null = null
  /** what was set on the response, in place of what, before the head is written */
  #set: readonly SetField[] = []
  /** what waits behind a large piece that is being written; `null` if none is */
  #waiting: Uint8Array[] | null = null
  #finishLater: (() => void) | null = null

  private constructor(response: ServerResponse, cut: () => void, framing: Framing) {
    super(framing)
    this.#response = response
    this.#cut = cut
    Reflect.set(response, kWriter, this)
  }

  /**
   * Prepares a response. If the application has already written its head, only content is written. If the
   * application has the response object and may write to it, the head is set at once.
   *
   * @param cut - ends the connection within the response
   * @throws FieldError, StatusError when the head is invalid
   */
  static open(
    response: ServerResponse,
    { method, httpVersion, hasTrailers, isShared }: NodeStream,
    status: number,
    headers: ResponseHeaders,
    cut: () => void,
  ): NodeWriter {
    // Makes Node refuse content that does not have the length in the head.
    response.strictContentLength = true
    if (response.headersSent || turnOf(response).isGone) return new NodeWriter(response, cut, UNKNOWN)
    checkFields(headers)
    withdrawHead(response)
    const framing = decide(response, { method, httpVersion, status, size: STREAMED, hasTrailers }, headers)
    const writer = new NodeWriter(response, cut, framing)
    writer.#head = { status, headers }
    if (isShared) {
      writer.#set = Object.entries(headers).map(([name, value]) => ({
        name,
        value,
        before: response.getHeader(name),
      }))
      writer.writeHead()
      // Node would check the length only from the second piece on.
      if (framing.by === 'length') Reflect.set(response, '_contentLength', Number(framing.length))
    }
    if (framing.by === 'close') {
      // Node ends a connection when its client ends its side; here that would look like the end of the content.
      response.socket?.prependOnceListener('end', () => {
        if (!response.writableFinished) writer.cut()
      })
    }
    return writer
  }

  /** Takes back what was set on the response, unless the application has changed it since. */
  withdraw(): void {
    const response = this.#response
    for (const { name, value, before } of this.#set) {
      if (value === undefined || response.getHeader(name) !== value) continue
      if (before === undefined) response.removeHeader(name)
      else response.setHeader(name, before)
    }
    this.#set = []
  }

  protected override mayWrite(): boolean {
    const response = this.#response
    const { isOver, hasBegun } = turnOf(response)
    if (isOver || Reflect.get(response, kWriter) !== this) return false
    if (hasBegun && this.#head !== null) throw new BegunError()
    return true
  }

  protected override writeHead(): void {
    const response = this.#response
    const head = this.#head
    if (head === null) return
    this.#head = null
    response.statusCode = head.status
    for (const name of Object.keys(head.headers)) {
      const value = head.headers[name]
      if (value !== undefined) response.setHeader(name, value)
    }
  }

  protected override writePiece(piece: Uint8Array): boolean {
    if (this.#waiting !== null) this.#waiting.push(piece)
    else if (piece.byteLength <= PIECE || !('stream' in this.#response)) {
      // Responses that platforms make for Node's interface may return nothing; Node's own pipe waits for `false` alone.
      return this.#response.write(piece) !== false
    } else {
      this.#waiting = []
      this.#writeLarge(piece)
    }
    return this.#waiting === null
  }

  #writeLarge(piece: Uint8Array): void {
    writePieces(this.#response, piece, () => {
      const next = this.#waiting?.shift()
      if (next !== undefined) {
        this.#writeLarge(next)
        return
      }
      this.#waiting = null
      if (this.#finishLater === null) this.drained()
      else this.#finishLater()
    })
  }

  protected override finish(trailers: Trailers | null): void {
    if (this.#waiting !== null) {
      this.#finishLater = () => this.finish(trailers)
      return
    }
    const response = this.#response
    if (trailers !== null) {
      // HTTP/2 allows no trailers after a head that ends the stream.
      response.flushHeaders()
      response.addTrailers(trailers)
    }
    response.end()
  }

  override whenDrained(callback: () => void): void {
    if (this.#waiting === null) this.#response.once('drain', callback)
    else super.whenDrained(callback)
  }

  override cut(): void {
    this.#cut()
  }
}
