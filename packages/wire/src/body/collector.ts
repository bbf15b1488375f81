import { Pieces } from './pieces.ts'
import type { BodyReader, RequestBody } from './request-body.ts'

/** Gets a whole body. */
export interface BodyReceiver {
  /** Gets the body, as a text or as bytes. */
  receive(content: string | Buffer): void
  /** Gets the reason why there is no body; returns the error that the promise rejects with. */
  refuse(error: unknown): unknown
}

/** The errors of reading a body, in the words of the framework around. */
export interface BodyErrors {
  /** the body has more bytes than are taken */
  tooLarge(): Error
  /** the connection ended, or broke, before the body was complete */
  aborted(cause: Error): Error
}

/** Collects a body that has yet to arrive. */
export class Collector implements BodyReader {
  readonly #pieces = new Pieces()
  readonly #expected: number
  readonly #limit: number
  readonly #isText: boolean
  readonly #receiver: BodyReceiver
  readonly #errors: BodyErrors
  #isOver = false
  #body: RequestBody | null = null
  #resolve: () => void = ignore
  #reject: (error: unknown) => void = ignore

  /**
   * @param expected - the declared length, or 0
   * @param limit - the most bytes that are taken
   */
  constructor(expected: number, limit: number, isText: boolean, receiver: BodyReceiver, errors: BodyErrors) {
    this.#expected = expected
    this.#limit = limit
    this.#isText = isText
    this.#receiver = receiver
    this.#errors = errors
  }

  /** @returns a promise, so that what follows runs in the asynchronous context of the request */
  read(body: RequestBody): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#body = body
      body.open(this)
    })
  }

  take(bytes: Buffer, start: number, end: number): boolean {
    if (this.#isOver) return true
    if (this.#pieces.length + end - start > this.#limit) this.#stop(this.#errors.tooLarge())
    else this.#pieces.add(bytes, start, end, this.#expected)
    return true
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#receiver.receive(this.#isText ? this.#pieces.text() : this.#pieces.bytes())
    this.#resolve()
  }

  fail(error: Error): void {
    if (!this.#isOver) this.#stop(this.#errors.aborted(error))
  }

  #stop(error: Error): void {
    this.#isOver = true
    this.#pieces.clear()
    this.#body?.abandon()
    this.#reject(this.#receiver.refuse(error))
  }
}

function ignore(): void {}
