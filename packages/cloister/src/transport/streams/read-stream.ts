import type { ByteStream } from '../../exchange/byte-stream.ts'
import type { BodyReceiver, Exchange } from '../../exchange/exchange.ts'
import { BodyReader } from './body-reader.ts'

/**
 * Reads the body of a request as a stream, or the stream that a hook has put in its place; see `Exchange.readBody`.
 *
 * @param replacement - read instead of the body; `null` for the body itself
 */
export function readStream(
  { bodyStream, bodyLength }: Pick<Exchange, 'bodyStream' | 'bodyLength'>,
  replacement: ByteStream | null,
  limit: number,
  as: 'text' | 'bytes',
  receiver: BodyReceiver,
): unknown {
  const stream = replacement ?? bodyStream
  const reader = new BodyReader(stream, as === 'text', limit, bodyLength, receiver)
  return stream === bodyStream ? reader.read() : reader.readAtOnce()
}
