import type { ServerResponse } from 'node:http'

/**
 * The most bytes that a stream of HTTP/2 gets at once. Node counts them as memory of the session until the client has
 * read them, and refuses further streams when those of all streams exceed 10 MB.
 */
export const PIECE = 65_536

/**
 * Writes bytes to a response of HTTP/2 piece by piece, each when the client has read the one before.
 *
 * @param done - called after the last piece; never if the response ends before
 */
export function writePieces(response: ServerResponse, bytes: Uint8Array, done: () => void): void {
  let start = 0
  const next = (): void => {
    while (start < bytes.byteLength) {
      if (response.writableEnded || response.destroyed) return
      const piece = bytes.subarray(start, start + PIECE)
      start += piece.byteLength
      if (response.write(piece)) continue
      response.once('drain', next)
      return
    }
    done()
  }
  next()
}
