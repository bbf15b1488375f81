import {
  CUT,
  LOST,
  SENT,
  WAITING,
  WRITING,
  ContentWriter,
  isStatus,
  prematureClose,
  problemOfField,
  StatusError,
  type Framing,
} from '@cloister/wire/message'

import type { WebStream } from '../../exchange/streams.ts'
import type { Outcome, Turn, ResponseHeaders } from '../../exchange/exchange.ts'
import { JSON_CONTENT } from '../../body/media-type.ts'
import { createError } from '../../errors.ts'
import { explainHead, OF_CONNECTION } from '../../exchange/message-head.ts'

/** The response of one exchange: its `Response` once the head is known, and the callbacks for its end. */
export class FetchResponse {
  readonly request: Pick<Request, 'signal'>
  /** `null` until the head is known */
  response: Response | null = null
  /** `undefined` while the exchange is open */
  outcome: Outcome | undefined = undefined
  /** the writer of the content, which another writer can replace until the content begins */
  writer: ContentWriter | null = null
  #resolve: ((response: Response) => void) | null = null
  #reject: ((error: Error) => void) | null = null
  #callbacks: ((outcome: Outcome) => void)[] | null = null

  constructor(request: Pick<Request, 'signal'>) {
    this.request = request
  }

  get turn(): Turn {
    const { outcome, response } = this
    if (outcome === undefined) return response === null ? WAITING : WRITING
    if (outcome === null) return SENT
    return response === null ? LOST : CUT
  }

  get headersSent(): boolean {
    return this.response !== null
  }

  get ended(): boolean {
    return this.outcome !== undefined
  }

  get aborted(): boolean {
    return this.outcome !== undefined && this.outcome !== null
  }

  /** Resolves to the response. Rejects if the exchange ends without one. */
  settled(): Promise<Response> {
    const { response, outcome } = this
    if (response !== null) return Promise.resolve(response)
    if (outcome !== undefined) return Promise.reject(outcome ?? prematureClose())
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  begin(head: ResponseInit, content: string | Uint8Array | WebStream | null): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the declarations of the platforms differ in which byte arrays and streams a body may be
    const body = content as ConstructorParameters<typeof Response>[0]
    this.response = new Response(body, head)
    this.#resolve?.(this.response)
  }

  /** Ends the exchange. Callbacks for the end run later, once. */
  end(outcome: Outcome): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    if (this.response === null) this.#reject?.(outcome ?? prematureClose())
    const callbacks = this.#callbacks
    if (callbacks === null) return
    this.#callbacks = null
    for (const callback of callbacks) queueMicrotask(() => callback(outcome))
  }

  onFinished(callback: (outcome: Outcome) => void): void {
    const { outcome } = this
    if (outcome !== undefined) queueMicrotask(() => callback(outcome))
    else if (this.#callbacks === null) this.#callbacks = [callback]
    else this.#callbacks.push(callback)
  }
}

/**
 * Writes the content of a response to a web stream that the platform reads. The `Response` is created with the first
 * chunk, so that a source that fails earlier can still become an error response. A chunk is written when the platform
 * pulls it.
 */
export class FetchWriter extends ContentWriter {
  readonly #response: FetchResponse
  readonly #head: ResponseInit
  readonly #hasContent: boolean
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(response: FetchResponse, head: ResponseInit, framing: Framing) {
    super(framing)
    this.#response = response
    this.#head = head
    this.#hasContent = framing.by !== 'none'
    response.writer = this
    response.onFinished((outcome) => {
      if (outcome !== null) this.#controller?.error(outcome)
    })
  }

  protected override mayWrite(): boolean {
    const { turn, writer } = this.#response
    return writer === this && !turn.isOver
  }

  protected override writeHead(): void {
    this.#response.begin(this.#head, this.#hasContent ? this.#createStream() : null)
  }

  #createStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.drained(),
        cancel: () => this.#response.end(prematureClose()),
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
    this.#response.end(null)
  }

  override cut(): void {
    this.#response.end(prematureClose())
  }
}

/**
 * Creates the head of a `Response`.
 *
 * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_BAD_STATUS_CODE`; `CLO_ERR_TRANSPORT_UNSUPPORTED` for a status that a
 * `Response` can't have
 */
export function responseInit(status: number, headers: ResponseHeaders): ResponseInit {
  if (!isStatus(status)) throw explainHead(headers, new StatusError(status))
  if (status < 200 || status > 599) {
    throw createError('TRANSPORT_UNSUPPORTED', {
      what: `the status ${status}`,
      instead: 'one from 200 to 599',
    })
  }
  return { status, headers: toHeaders(headers) }
}

/** Returns response headers as the platform takes them: an object, unless a field has several lines. */
function toHeaders(given: ResponseHeaders): Record<string, string> | [string, string][] {
  const fields: Record<string, string> = {}
  const lines: [string, string][] = []
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (value === undefined || OF_CONNECTION.has(name)) continue
    // `Headers` accepts control characters that are invalid in fields (RFC 9110 section 5.5).
    const isOwn = value === JSON_CONTENT && name === 'content-type'
    if (!isOwn && problemOfField(name, value) !== null) throw explainHead(given, null)
    if (Array.isArray(value)) for (const line of value) lines.push([name, String(line)])
    else fields[name] = String(value)
  }
  return lines.length === 0 ? fields : [...Object.entries(fields), ...lines]
}
