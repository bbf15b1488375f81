import { joinBytes, toBytes } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import type { BodyReceiver } from '../../exchange/exchange.ts'

/** A request whose body has not been read. */
type Unread = Pick<Request, 'arrayBuffer' | 'body'>

/**
 * Reads a body of known length.
 *
 * @throws what the receiver makes of `CLO_ERR_CTP_BODY_ABORTED`, `CLO_ERR_CTP_INVALID_CONTENT_LENGTH`
 */
export async function readWhole(
  request: Unread,
  declared: number,
  receiver: BodyReceiver,
): Promise<Uint8Array> {
  let content: ArrayBuffer
  try {
    content = await request.arrayBuffer()
  } catch (cause) {
    throw receiver.refuse(createError('CTP_BODY_ABORTED', {}, { cause }))
  }
  if (content.byteLength !== declared) throw receiver.refuse(createError('CTP_INVALID_CONTENT_LENGTH', {}))
  return toBytes(content) ?? joinBytes([])
}

/**
 * Reads a body of unknown length, up to a limit.
 *
 * @throws what the receiver makes of `CLO_ERR_CTP_BODY_ABORTED`, `CLO_ERR_CTP_BODY_TOO_LARGE`
 */
export async function readPieces(
  { body }: Unread,
  limit: number,
  receiver: BodyReceiver,
): Promise<Uint8Array> {
  if (body === null) return joinBytes([])
  const pieces: Uint8Array[] = []
  let received = 0
  try {
    for await (const piece of piecesOf(body)) {
      received += piece.byteLength
      if (received > limit) throw createError('CTP_BODY_TOO_LARGE', {})
      pieces.push(piece)
    }
  } catch (cause) {
    throw receiver.refuse(received > limit ? cause : createError('CTP_BODY_ABORTED', {}, { cause }))
  }
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? (toBytes(first) ?? first) : joinBytes(pieces)
}

/** Yields the pieces of a body, and cancels it when no more are wanted; not every stream can be iterated itself. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  let isWhole = false
  try {
    for (let next = await reader.read(); next.done !== true; next = await reader.read()) yield next.value
    isWhole = true
  } finally {
    if (!isWhole) reader.cancel().catch(ignore)
  }
}

function ignore(): void {}
