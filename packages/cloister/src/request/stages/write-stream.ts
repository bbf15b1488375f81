import type { ServerResponse } from 'node:http'
import { finished, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { createError, wrapThrown } from '../../errors.ts'
import { typeName } from '../../functions.ts'
import { logSafely } from '../../logging/request-log.ts'
import { kExchange, kPhase, kPlan, kReplyHeaders, kTrailers } from '../../symbols.ts'
import type { ReplyHeaders } from '../exchange.ts'
import { explainHeaders } from '../members/header-problem.ts'
import { release } from '../payload-kind.ts'
import type { ReplyImpl } from '../reply.ts'
import { ANSWERED } from '../reply-phase.ts'
import { sendTrailers } from './write-trailers.ts'

/**
 * Streams a payload to the client with back-pressure. An error before the first byte goes to the error handlers;
 * later the connection is cut, so that the client does not take a part for the whole. When the client goes away
 * the source is destroyed.
 */
export function writeStream(reply: ReplyImpl, given: Readable): void {
  const exchange = reply[kExchange]
  const response = reply.raw
  const source = given.readableObjectMode ? Readable.from(onlyContent(given)) : given
  let sourceIsOpen = true

  finished(source, { readable: true, writable: false }, (failure: unknown) => {
    sourceIsOpen = false
    if (failure === undefined || failure === null) return
    // A stream may fail with anything; whatever it is, the payload is not whole.
    const error = wrapThrown(failure)
    if (exchange.headersSent || exchange.ended) {
      logStreamError(reply, error)
      exchange.destroy()
    } else {
      source.unpipe?.(response)
      reply[kPlan].fail(reply, error)
    }
  })
  exchange.onFinished((error) => {
    if (error !== null && sourceIsOpen) logStreamError(reply, error)
    if (sourceIsOpen) release(given)
  })

  if (!exchange.headersSent) {
    setHeaders(response, reply[kReplyHeaders])
  } else {
    reply.log.warn('response will send, but the headers were sent already through the raw response')
  }
  reply[kPhase] = ANSWERED
  if (reply[kTrailers] === null) {
    source.pipe(response)
    return
  }
  const end = (): void => sendTrailers(reply, () => response.end())
  if (source.readableEnded) {
    end()
    return
  }
  source.on('end', end)
  source.pipe(response, { end: false })
}

function setHeaders(response: ServerResponse, headers: ReplyHeaders): void {
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.setHeader(name, value)
    }
  } catch (cause) {
    throw explainHeaders(headers, cause)
  }
}

/** A stream of objects may yield what no response can write: that ends it like an error of its own. */
async function* onlyContent(source: Readable): AsyncGenerator<string | Uint8Array, void> {
  for await (const chunk of source) {
    const content: unknown = chunk
    if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
      throw createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(content) })
    }
    yield content
  }
}

/** Streams a web stream; a cancelled answer cancels it. */
export function writeWebStream(reply: ReplyImpl, source: ReadableStream): void {
  if (source.locked) throw createError('REP_READABLE_STREAM_LOCKED', {})
  writeStream(reply, Readable.fromWeb(source))
}

function logStreamError(reply: ReplyImpl, error: Error): void {
  const { app } = reply[kPlan]
  logSafely(app, () => app.logController.streamError(error, reply.request, reply))
}
