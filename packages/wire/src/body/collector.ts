import { Pieces } from './pieces.ts'
import type { RequestBody } from './request-body.ts'

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

/**
 * Collects a body that has yet to arrive.
 *
 * @param limit - the most bytes that are taken
 * @returns a promise, so that what follows runs in the asynchronous context of the request
 */
export function collectBody(
  body: RequestBody,
  limit: number,
  isText: boolean,
  receiver: BodyReceiver,
  errors: BodyErrors,
): Promise<void> {
  const pieces = new Pieces()
  let isOver = false
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      isOver = true
      pieces.clear()
      body.abandon()
      reject(receiver.refuse(error))
    }
    body.open({
      take(bytes, start, end) {
        if (isOver) return true
        if (pieces.length + end - start > limit) stop(errors.tooLarge())
        else pieces.add(bytes, start, end, body.length ?? 0)
        return true
      },
      end() {
        if (isOver) return
        isOver = true
        receiver.receive(isText ? pieces.text() : pieces.bytes())
        resolve()
      },
      fail(error) {
        if (!isOver) stop(errors.aborted(error))
      },
    })
  })
}
