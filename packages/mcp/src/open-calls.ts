import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { JSONRPCMessage, JSONRPCRequest, RequestId, Server } from '@modelcontextprotocol/server'

import { isRecord } from './errors.ts'

/**
 * The calls of clients of revisions before 2026-07-28 that this process is running. Their further messages (the
 * response to a question, a cancellation) are requests of their own.
 */
export class OpenCalls {
  readonly #calls = new Map<string, CallTransport>()

  /**
   * Passes a message to the call that it belongs to; returns false for any other message.
   *
   * @param session - the field `Mcp-Session-Id`, without which a cancellation names no call
   */
  take(session: string | null, body: unknown): boolean {
    if (!isRecord(body)) return false
    if (body['method'] === 'notifications/cancelled') {
      const { requestId } = isRecord(body['params']) ? body['params'] : {}
      if (session !== null) this.#calls.get(keyOf(session, requestId))?.stop()
      return true
    }
    const isResponse = body['method'] === undefined && ('result' in body || 'error' in body)
    if (!isResponse) return false
    for (const call of this.#calls.values()) if (call.hasAsked(body['id'])) call.respond(body)
    return true
  }

  /** Ends the calls that wait for a user, so that the app can close. */
  stopAsking(): void {
    for (const call of this.#calls.values()) if (call.isAsking) call.stop()
  }

  /** Serves a call: with JSON, or with events if something is sent before the result. */
  async serve(request: Request, message: JSONRPCRequest, server: Server): Promise<Response> {
    const session = request.headers.get('mcp-session-id') ?? crypto.randomUUID()
    const key = keyOf(session, message.id)
    const call = new CallTransport(() => void server.close())
    await server.connect(call)
    this.#calls.set(key, call)
    const stop = (): void => call.stop()
    request.signal.addEventListener('abort', stop, { once: true })
    void call.ended.then(() => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
      request.signal.removeEventListener('abort', stop)
    })
    const events = await call.handleRequest(request, { parsedBody: message })
    // The SDK has refused the message itself.
    if (events.status !== 200) {
      call.stop()
      return events
    }
    const first = await call.first
    if (first === null || 'method' in first) return events
    await events.body?.cancel()
    return Response.json(first)
  }
}

function keyOf(session: string, id: unknown): string {
  return JSON.stringify([session, id])
}

/** The transport of one call, whose questions have identifiers that no other client knows. */
class CallTransport extends WebStandardStreamableHTTPServerTransport {
  /** What is sent first; `null` if the call ends without a result. */
  readonly first: Promise<JSONRPCMessage | null>
  readonly ended: Promise<void>
  readonly #close: () => void
  readonly #asked = new Map<unknown, RequestId>()
  #resolveFirst: (message: JSONRPCMessage | null) => void = () => undefined
  #resolveEnded: () => void = () => undefined

  constructor(close: () => void) {
    super({})
    this.#close = close
    this.first = new Promise((resolve) => {
      this.#resolveFirst = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const sent = 'method' in message && 'id' in message ? this.#named(message) : message
    this.#resolveFirst(sent)
    if (!('method' in message)) this.#resolveEnded()
    await super.send(sent, options)
  }

  get isAsking(): boolean {
    return this.#asked.size > 0
  }

  hasAsked(id: unknown): boolean {
    return this.#asked.has(id)
  }

  /** Passes the response to a question to the server that has asked it. */
  respond(response: Readonly<Record<string, unknown>>): void {
    const id = this.#asked.get(response['id'])
    this.#asked.delete(response['id'])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK checks what it gets
    if (id !== undefined) this.onmessage?.({ ...response, id } as JSONRPCMessage)
  }

  /** Aborts the signal of the call, whose result is no longer sent. */
  stop(): void {
    this.#resolveFirst(null)
    this.#resolveEnded()
    this.#close()
  }

  #named(question: JSONRPCRequest): JSONRPCRequest {
    const id = crypto.randomUUID()
    this.#asked.set(id, question.id)
    return { ...question, id }
  }
}
