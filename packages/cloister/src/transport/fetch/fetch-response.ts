import type { WebStream } from '../../exchange/byte-stream.ts'
import type { Outcome, ResponseHeaders } from '../../exchange/exchange.ts'
import { explainHeaders, problemOfField } from '../../exchange/field-lines.ts'
import { prematureClose } from '../../exchange/outcome.ts'
import { createError } from '../../errors.ts'

/** Fields of the connection, which is the platform's (RFC 9110 section 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** The response of one exchange: a `Response` once its head is known, and who waits for its end. */
export class FetchResponse {
  /** `null` until the head is known */
  response: Response | null = null
  /** `undefined` while the exchange is open */
  outcome: Outcome | undefined = undefined
  #resolve: ((response: Response) => void) | null = null
  #reject: ((error: Error) => void) | null = null
  #callbacks: ((outcome: Outcome) => void)[] | null = null

  /** Resolves to the response; rejects when the exchange ends without one. */
  settled(): Promise<Response> {
    const { response, outcome } = this
    if (response !== null) return Promise.resolve(response)
    if (outcome !== undefined) return Promise.reject(outcome ?? prematureClose())
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /**
   * Makes the `Response`.
   *
   * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_TRANSPORT_UNSUPPORTED` for a status that no `Response` has
   */
  begin(status: number, headers: ResponseHeaders, content: string | Uint8Array | WebStream | null): void {
    if (status < 200 || status > 599) {
      throw createError('TRANSPORT_UNSUPPORTED', {
        what: `the status ${status}`,
        instead: 'one from 200 to 599',
      })
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the declarations of the platforms differ in which byte arrays and streams a body may be
    const body = content as ConstructorParameters<typeof Response>[0]
    this.response = new Response(body, { status, headers: toHeaders(headers) })
    this.#resolve?.(this.response)
  }

  /** Ends the exchange; what waits for the end runs later, once. */
  end(outcome: Outcome): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    if (this.response === null) this.#reject?.(outcome ?? prematureClose())
    const callbacks = this.#callbacks
    if (callbacks === null) return
    this.#callbacks = null
    for (const callback of callbacks) queueMicrotask(() => callback(outcome))
  }

  onEnd(callback: (outcome: Outcome) => void): void {
    const { outcome } = this
    if (outcome !== undefined) queueMicrotask(() => callback(outcome))
    else if (this.#callbacks === null) this.#callbacks = [callback]
    else this.#callbacks.push(callback)
  }
}

/** Returns the fields of a response as the platform takes them: an object where each has one line. */
function toHeaders(given: ResponseHeaders): Record<string, string> | [string, string][] {
  const fields: Record<string, string> = {}
  let hasLines = false
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (value === undefined || OF_CONNECTION.has(name)) continue
    // `Headers` takes control characters that no field may have (RFC 9110 section 5.5).
    if (problemOfField(name, value) !== null) throw explainHeaders(given, null)
    if (Array.isArray(value)) hasLines = true
    else fields[name] = String(value)
  }
  return hasLines ? toLines(given) : fields
}

function toLines(given: ResponseHeaders): [string, string][] {
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined || OF_CONNECTION.has(name)
      ? []
      : [value].flat().map((line): [string, string] => [name, String(line)]),
  )
}
