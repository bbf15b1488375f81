import { isThenable } from '../../functions.ts'
import type { AnyFunction } from '../../functions.ts'
import { kExchange, kPayload, kReplyHeaders, kTrailers } from '../../symbols.ts'
import { isNodeStream, isWebStream } from '../payload-kind.ts'
import type { ReplyImpl } from '../reply.ts'

/**
 * Trailers follow a chunked body (RFC 9112 section 7.1.2) and are announced in `Trailer` (RFC 9110 section 6.6.2);
 * HTTP/2 sends them in a frame of their own.
 */
export function announceTrailers(reply: ReplyImpl): void {
  const names = [...(reply[kTrailers]?.keys() ?? [])]
  const headers = reply[kReplyHeaders]
  headers['trailer'] = names.join(' ')
  delete headers['content-length']
  if (reply[kExchange].httpVersion.startsWith('1')) headers['transfer-encoding'] = 'chunked'
}

/** Writes head, content and trailers. */
export function writeTrailers(reply: ReplyImpl, content: string | Uint8Array | null): void {
  const exchange = reply[kExchange]
  exchange.startStream(reply.statusCode, reply[kReplyHeaders])
  const response = exchange.rawResponse
  if (content !== null) response.write(content)
  sendTrailers(reply, () => response.end())
}

/** Computes every trailer, adds those that have a value, then calls back. A trailer that fails is left out. */
export function sendTrailers(reply: ReplyImpl, end: () => void): void {
  const entries = [...(reply[kTrailers] ?? [])]
  // A stream has gone by then; its text was never in one piece.
  const sent = reply[kPayload]
  const payload = isNodeStream(sent) || isWebStream(sent) ? null : sent
  Promise.all(entries.map(async ([name, fn]) => [name, await valueOf(name, fn, reply, payload)] as const))
    .then((trailers) => {
      const known = trailers.filter(([, value]) => typeof value === 'string' && value !== '')
      const response = reply[kExchange].rawResponse
      if (!reply[kExchange].ended)
        response.addTrailers(Object.fromEntries(known.map(([name, value]) => [name, String(value)])))
      end()
    })
    .catch((err: unknown) => {
      reply.log.error({ err }, 'the trailers could not be sent')
      end()
    })
}

/** A trailer's function answers by value, by promise or by callback. */
function valueOf(name: string, fn: AnyFunction, reply: ReplyImpl, payload: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    const done = (error: unknown, value?: unknown): void => {
      if (error != null) reply.log.warn({ err: error }, `the trailer '${name}' failed and is left out`)
      resolve(error == null ? value : undefined)
    }
    try {
      const result = fn.call(reply, reply, payload, done)
      if (isThenable(result)) result.then((value) => done(null, value), done)
      else if (result !== undefined) done(null, result)
    } catch (error) {
      done(error)
    }
  })
}
