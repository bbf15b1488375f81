import { CUT, LOST, SENT, WAITING, WRITING } from '@cloister/wire/message'

import type { WebStream } from '../../exchange/byte-stream.ts'
import type { ContentWriter, Outcome, Turn } from '../../exchange/exchange.ts'
import { prematureClose } from '../../exchange/outcome.ts'
import type { HeadInit } from './response-init.ts'

/** The response of one exchange: a `Response` once its head is known, and who waits for its end. */
export class FetchResponse {
  /** the request that it belongs to */
  readonly request: Pick<Request, 'signal'>
  /** `null` until the head is known */
  response: Response | null = null
  /** `undefined` while the exchange is open */
  outcome: Outcome | undefined = undefined
  /** the writer of the content that may begin; another one takes its place as long as it has not */
  writer: ContentWriter | null = null
  #resolve: ((response: Response) => void) | null = null
  #reject: ((error: Error) => void) | null = null
  #callbacks: ((outcome: Outcome) => void)[] | null = null

  constructor(request: Pick<Request, 'signal'>) {
    this.request = request
  }

  /** What the exchange may do now. */
  get turn(): Turn {
    const { outcome, response } = this
    if (outcome === undefined) return response === null ? WAITING : WRITING
    if (outcome === null) return SENT
    return response === null ? LOST : CUT
  }

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

  /** Makes the `Response`. */
  begin(head: HeadInit, content: string | Uint8Array | WebStream | null): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the declarations of the platforms differ in which byte arrays and streams a body may be
    const body = content as ConstructorParameters<typeof Response>[0]
    this.response = new Response(body, head)
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
