/** What an idempotent route reads of a request. */
export interface SimulatedRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly params: object
  readonly query: object
  readonly body: unknown
  readonly caller: string
  readonly signal: { reason: unknown }
  readonly log: { error(): void }
}

/** What came of a request. */
export interface SimulatedResponse {
  readonly status: number
  readonly code: string | null
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

class Reply {
  statusCode = 200
  isSent = false
  body: unknown = null
  readonly request: SimulatedRequest
  readonly #headers: Record<string, unknown> = {}

  constructor(request: SimulatedRequest) {
    this.request = request
  }

  getHeaders(): Readonly<Record<string, unknown>> {
    return { ...this.#headers }
  }

  code(status: number): this {
    this.statusCode = status
    return this
  }

  header(name: string, value: unknown): this {
    this.#headers[name] = value
    return this
  }

  removeHeader(name: string): this {
    Reflect.deleteProperty(this.#headers, name)
    return this
  }

  headers(all: object): this {
    Object.assign(this.#headers, all)
    return this
  }

  send(body: unknown): this {
    this.isSent = true
    this.body = body
    return this
  }
}

const hooksOf = (route: object, name: string): unknown[] => [Reflect.get(route, name) ?? []].flat()

const call = (run: unknown, ...args: unknown[]): unknown => {
  if (typeof run !== 'function') throw new Error('a hook is no function')
  return Reflect.apply(run, undefined, args)
}

/** The error of a handler that took too long, as the framework has it. */
const TIMEOUT = Object.assign(new Error('too long'), { code: 'CLO_ERR_HANDLER_TIMEOUT', statusCode: 503 })

/**
 * Runs a request through the hooks of a route, in the order of the framework.
 *
 * @param timeout - resolves when the handler has taken too long
 */
export async function exchange(
  route: object,
  request: SimulatedRequest,
  timeout: () => Promise<void>,
): Promise<SimulatedResponse> {
  const reply = new Reply(request)
  let code: string | null = null
  try {
    for (const hook of hooksOf(route, 'preHandler')) if (!reply.isSent) await call(hook, request, reply)
    if (!reply.isSent) {
      const late = timeout().then(() => {
        request.signal.reason = TIMEOUT
        throw TIMEOUT
      })
      late.catch(() => {})
      reply.send(await Promise.race([call(Reflect.get(route, 'handler'), request, reply), late]))
    }
  } catch (error) {
    for (const hook of hooksOf(route, 'onError')) await call(hook, request, reply, error)
    code = String(Reflect.get(Object(error), 'code') ?? 'FAILED')
    reply.code(Number(Reflect.get(Object(error), 'statusCode') ?? 500)).send(code)
  }
  let body: unknown = reply.body
  for (const hook of hooksOf(route, 'onSend')) body = await call(hook, request, reply, body)
  const response = { status: reply.statusCode, code, headers: reply.getHeaders(), body }
  for (const hook of hooksOf(route, 'onResponse')) await call(hook, request, reply)
  return response
}
