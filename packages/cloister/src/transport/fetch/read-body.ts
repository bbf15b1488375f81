import { ByteCollector } from '../../byte-collector.ts'
import { byteLengthOf, chunkBytes, utf8Text } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import type { BodyReceiver, ReadAs } from '../../exchange/exchange.ts'
import { hush } from '../../guards.ts'

type Unread = Pick<Request, 'arrayBuffer' | 'body' | 'text'>

/**
 * Reads a body of known length in one call, because platforms enforce the declared length. The received bytes are
 * counted anyway, because anyone can construct a `Request`.
 *
 * @throws the receiver's error for `CLO_ERR_CTP_BODY_ABORTED`, `CLO_ERR_CTP_INVALID_CONTENT_LENGTH`
 */
export function readWhole(
  request: Unread,
  declared: number,
  as: ReadAs,
  receiver: BodyReceiver,
): Promise<void> {
  return request.arrayBuffer().then(
    (content) => {
      if (content.byteLength !== declared)
        throw receiver.refuse(createError('CTP_INVALID_CONTENT_LENGTH', {}))
      // A buffer of another realm, as in test runners, is not an instance of `ArrayBuffer`.
      const bytes = chunkBytes(new Uint8Array(content))
      receiver.receive(as === 'text' ? utf8Text(bytes) : bytes)
    },
    (cause: unknown) => {
      throw refuseAborted(receiver, cause)
    },
  )
}

const BYTE_ORDER_MARK = '\uFEFF'
/** Replaces bytes that are no UTF-8. */
const REPLACEMENT = '\uFFFD'

/**
 * Reads a body of known length as text, for a platform that enforces the length and a receiver that drops byte order
 * marks. The platform decodes it, without a copy of the bytes.
 *
 * @throws the receiver's error for `CLO_ERR_CTP_BODY_ABORTED`, `CLO_ERR_CTP_INVALID_CONTENT_LENGTH`
 */
export function readText(request: Unread, declared: number, receiver: BodyReceiver): Promise<void> {
  return request.text().then(
    // No text has more characters than bytes, and after a mark it has fewer.
    (text) => receiver.receive(text.length === declared ? text : asSent(text, declared, receiver)),
    (cause: unknown) => {
      throw refuseAborted(receiver, cause)
    },
  )
}

/** Returns a text with the byte order mark that decoding has removed, unless invalid bytes hide how many there were. */
function asSent(text: string, declared: number, receiver: BodyReceiver): string {
  const missing = declared - byteLengthOf(text)
  const mayBeInvalid = text.includes(REPLACEMENT)
  // Decoding removes one mark, and leaves the next one.
  if (missing === byteLengthOf(BYTE_ORDER_MARK) || (mayBeInvalid && text.startsWith(BYTE_ORDER_MARK)))
    return BYTE_ORDER_MARK + text
  if (missing === 0 || mayBeInvalid) return text
  throw receiver.refuse(createError('CTP_INVALID_CONTENT_LENGTH', {}))
}

/**
 * Reads a body of unknown length, up to a limit.
 *
 * @throws the receiver's error for `CLO_ERR_CTP_BODY_ABORTED`, `CLO_ERR_CTP_BODY_TOO_LARGE`
 */
export async function readPieces(
  { body }: Unread,
  limit: number,
  as: ReadAs,
  receiver: BodyReceiver,
): Promise<void> {
  // Not every platform can iterate a stream.
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader()
  const content = new ByteCollector()
  let received = 0
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      received += next.value.byteLength
      if (received > limit) throw createError('CTP_BODY_TOO_LARGE', {})
      content.add(next.value)
    }
  } catch (cause) {
    throw received > limit ? receiver.refuse(cause) : refuseAborted(receiver, cause)
  } finally {
    reader?.cancel().catch(hush)
  }
  const bytes = chunkBytes(content.takeJoined())
  receiver.receive(as === 'text' ? utf8Text(bytes) : bytes)
}

function refuseAborted(receiver: BodyReceiver, cause: unknown): unknown {
  return receiver.refuse(createError('CTP_BODY_ABORTED', {}, { cause }))
}
