import { chunkBytes } from '../bytes.ts'
import { createError } from '../errors.ts'
import { listenTo, type ByteStream } from '../exchange/streams.ts'
import { hush } from '../guards.ts'
import type { RequestImpl } from '../request/request.ts'
import { kExchange, kState } from '../symbols.ts'
import { FetchExchange } from '../transport/fetch/fetch-exchange.ts'

/** Creates a web `Request` from a request after its hooks, with an unread body. */
export function toWebRequest(request: RequestImpl, target: string): Request {
  const exchange = request[kExchange]
  const { method, signal } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // The URL contains the pseudo-header fields of HTTP/2, which begin with a colon.
    if (value === undefined || name.startsWith(':')) continue
    for (const one of [value].flat()) headers.append(name, one)
  }
  const url = `${request.protocol}://${request.host || 'localhost'}${target}`
  // HTTP/2 has no fields that announce a body.
  const mayHaveBody = exchange.framing !== 'none' || exchange.protocol.isMultiplexed
  const hasBody = method !== 'GET' && method !== 'HEAD' && mayHaveBody
  if (!hasBody) return new Request(url, { method, headers, signal })
  const { bodyStream } = request[kState]
  const unread = bodyStream === null && exchange instanceof FetchExchange ? exchange.unreadBody : null
  const body = unread ?? webStreamOf(bodyStream ?? exchange.bodyStream, (end) => exchange.onFinished(end))
  // The platform's types don't have all members of Fetch yet.
  const init: RequestInit & { readonly duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, init)
}

/** Creates a web stream from a body. It reads the body on demand. */
function webStreamOf(
  source: ByteStream,
  onFinished: (callback: () => void) => void,
): ReadableStream<Uint8Array> {
  let stop = (): void => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onData = (chunk: unknown): void => {
          controller.enqueue(chunkBytes(chunk))
          source.pause()
        }
        const onEnd = (): void => {
          detach()
          controller.close()
        }
        const onBreak = (): void => {
          detach()
          controller.error(createError('CTP_BODY_ABORTED', {}))
        }
        const detach = (): void => {
          unlisten()
          source.on('error', hush)
          stop = () => {}
        }
        stop = () => {
          detach()
          source.resume()
        }
        onFinished(() => stop())
        source.pause()
        const unlisten = listenTo(source, { data: onData, end: onEnd, error: onBreak, close: onBreak })
      },
      pull: () => void source.resume(),
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  )
}
