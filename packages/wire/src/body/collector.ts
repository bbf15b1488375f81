import { Pieces, type BodyForm } from './pieces.ts'
import type { RequestBody } from './request-body.ts'

/** Receives a whole body. */
export interface BodyReceiver {
  /** Gets the body, as text or as bytes. */
  receive(content: string | Buffer): void
  /** Gets the reason why there is no body; returns the error that the promise rejects with. */
  refuse(error: unknown): unknown
}

/** Creates the errors that reading a body fails with. */
export interface BodyErrors {
  /** the body exceeds the limit */
  tooLarge(): Error
  /** the connection ended or broke before the body was complete */
  aborted(cause: Error): Error
}

/**
 * Collects a body that is still arriving.
 *
 * @param limit - the maximum number of bytes
 * @returns a promise, so that the code after it runs in the asynchronous context of the request
 */
export function collectBody(
  body: RequestBody,
  limit: number,
  form: BodyForm,
  receiver: BodyReceiver,
  errors: BodyErrors,
): Promise<void> {
  const pieces = new Pieces()
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      body.abandon()
      reject(receiver.refuse(error))
    }
    body.open({
      take(bytes, start, end) {
        if (pieces.length + end - start > limit) stop(errors.tooLarge())
        else pieces.add(bytes, start, end, body.length ?? 0)
        return true
      },
      end() {
        receiver.receive(pieces.take(form))
        resolve()
      },
      fail: (error) => stop(errors.aborted(error)),
    })
  })
}
