import { ContentWriter, isStatus, StatusError, type Framing } from '@cloister/wire/message'
import { prematureClose, problemOfField } from '@cloister/wire/message/internal'

import type { ResponseHeaders } from '../../exchange/exchange.ts'
import { JSON_CONTENT } from '../../body/media-type.ts'
import { createError } from '../../errors.ts'
import { explainHead, OF_CONNECTION } from '../../exchange/message-head.ts'
import type { FetchExchange } from './fetch-exchange.ts'

/**
 * Writes the content of a response to a web stream that the platform reads. The `Response` is created with the first
 * chunk, so that a source that fails earlier can still become an error response. A chunk is written when the platform
 * pulls it.
 */
export class FetchWriter extends ContentWriter {
  readonly #exchange: FetchExchange
  readonly #head: ResponseInit
  readonly #framing: Framing
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(exchange: FetchExchange, head: ResponseInit, framing: Framing) {
    super(framing)
    this.#exchange = exchange
    this.#head = head
    this.#framing = framing
    exchange.writer = this
    exchange.onFinished((outcome) => {
      if (outcome !== null) this.#controller?.error(exchange.reasonOf(outcome))
    })
  }

  protected override mayWrite(): boolean {
    const { turn, writer } = this.#exchange
    return writer === this && !turn.isOver
  }

  protected override writeHead(): void {
    const { method } = this.#exchange
    const hasContent = this.#framing.by !== 'none'
    const body = hasContent ? this.#createStream() : bodyOfNone(method, this.#head.status, this.#framing)
    this.#exchange.begin(this.#head, body)
  }

  #createStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.drained(),
        cancel: () => this.#exchange.end(prematureClose()),
      },
      { highWaterMark: 0 },
    )
  }

  protected override writePiece(piece: Uint8Array): boolean {
    this.#controller?.enqueue(piece)
    return (this.#controller?.desiredSize ?? 1) > 0
  }

  protected override finish(): void {
    this.#controller?.close()
    this.#exchange.end(null)
  }

  override cut(): void {
    this.#exchange.end(prematureClose())
  }
}

/**
 * Returns the body of a `Response` without content.
 *
 * Bun and Deno write `content-length: 0` if there is no body, which is wrong for a HEAD request if the content for GET
 * has an unknown length (RFC 9110 section 8.6). They get a stream that ends when it is read: Bun knows the length of one
 * that has ended.
 */
export function bodyOfNone(
  method: string,
  status: number | undefined,
  { length }: Framing,
): ReadableStream<Uint8Array> | null {
  if (method !== 'HEAD' || length !== null || status === 204 || status === 205 || status === 304) return null
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
}

/**
 * Creates the head of a `Response`.
 *
 * @param hasLength - whether it has `content-length`, if the headers have it
 * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_BAD_STATUS_CODE`; `CLO_ERR_TRANSPORT_UNSUPPORTED` for a status that a
 * `Response` can't have
 */
export function responseInit(status: number, headers: ResponseHeaders, hasLength: boolean): ResponseInit {
  if (!isStatus(status)) throw explainHead(headers, new StatusError(status))
  if (status < 200 || status > 599) {
    throw createError('TRANSPORT_UNSUPPORTED', {
      what: `the status ${status}`,
      instead: 'one from 200 to 599',
    })
  }
  return { status, headers: toHeaders(headers, hasLength) }
}

/** Returns response headers as the platform takes them: an object, unless a field has several lines. */
function toHeaders(given: ResponseHeaders, hasLength: boolean): Record<string, string> | [string, string][] {
  const fields: Record<string, string> = {}
  let lines: [string, string][] | null = null
  for (const name of Object.keys(given)) {
    const value = given[name]
    const isLength = name === 'content-length'
    if (value === undefined || OF_CONNECTION.has(name) || (isLength && !hasLength)) continue
    // `Headers` accepts control characters that are invalid in fields (RFC 9110 section 5.5).
    const isOwn = isLength || (value === JSON_CONTENT && name === 'content-type')
    if (!isOwn && problemOfField(name, value) !== null) throw explainHead(given, null)
    if (!Array.isArray(value)) fields[name] = String(value)
    else for (const line of value) (lines ??= []).push([name, String(line)])
  }
  return lines === null ? fields : [...Object.entries(fields), ...lines]
}
