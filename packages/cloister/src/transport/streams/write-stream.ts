import { finished, PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'

import { wrapThrown } from '../../errors.ts'
import type { ByteStream, WebStream } from '../../exchange/byte-stream.ts'
import type { Exchange, StreamObserver, TrailerSource } from '../../exchange/exchange.ts'
import { prematureClose } from '../../exchange/outcome.ts'
import { release } from '../../exchange/release.ts'
import { toContentStream } from './content-stream.ts'
import { canPump, pump } from './pump.ts'
import type { PumpSettled } from './pump.ts'

/** Where the content of a stream is written: a response of Node, or what a transport has instead. */
export interface ResponseSink extends NodeJS.WritableStream {
  addTrailers(fields: Readonly<Record<string, string>>): void
}

/** A stream on its way to the client. */
export interface StreamedResponse {
  readonly exchange: Exchange
  readonly response: ResponseSink
  readonly source: ByteStream | WebStream
  readonly trailers: TrailerSource | null
  readonly observer: StreamObserver
}

/**
 * Writes a stream to a response, with back-pressure. An error before the first byte leaves the response
 * unwritten; a later one cuts the connection, so that the client does not take a part for the whole. When the client
 * goes away the source is destroyed.
 */
export function pipeStream({
  exchange,
  response,
  source: given,
  trailers,
  observer,
}: StreamedResponse): void {
  const source = toContentStream(given)
  let sourceIsOpen = true

  const settle = (failure: unknown): void => {
    sourceIsOpen = false
    if (failure === null) return
    const hadBegun = exchange.headersSent || exchange.ended
    // A stream may fail with anything; whatever it is, the content is not whole.
    observer.failed(wrapThrown(failure), hadBegun)
    if (hadBegun) exchange.abort()
  }
  const end = trailers === null ? () => response.end() : () => endWithTrailers(exchange, response, trailers)
  exchange.onFinished((outcome) => {
    if (!sourceIsOpen) return
    if (outcome !== null) observer.failed(outcome, true)
    // A web stream that is read through `source` is locked: `source` alone can cancel it.
    release('getReader' in given ? source : given)
  })
  if (canPump(source)) {
    pump(source, response, (failure) => {
      settle(failure)
      if (failure === null) end()
    })
  } else pipe(source, response, trailers === null ? null : end, settle)
}

/**
 * Lets a stream pipe itself to a response.
 *
 * @param end - ends the response; without it the stream does
 */
function pipe(
  source: Readable,
  response: ResponseSink,
  end: (() => void) | null,
  settled: PumpSettled,
): void {
  // A class that pipes in its own way may change its content on the way: what it pipes to has the end of that.
  const whole = end === null ? null : new PassThrough().on('end', end)
  const content = whole ?? source
  let isOpen = true
  const settle = (failure: unknown): void => {
    if (!isOpen) return
    isOpen = false
    if (failure !== null) content.unpipe?.(response)
    settled(failure)
  }
  // A stream may fail with nothing, which `finished` takes for its end.
  source.on('error', (error: unknown) => settle(error ?? prematureClose()))
  finished(source, { readable: true, writable: false }, (error) => settle(error ?? null))
  if (whole !== null) source.pipe(whole)
  content.pipe(response, { end: whole === null })
}

/** Adds the trailers and ends the response. */
export function endWithTrailers(exchange: Exchange, response: ResponseSink, trailers: TrailerSource): void {
  trailers().then(
    (fields) => {
      if (!exchange.ended) response.addTrailers(fields)
      response.end()
    },
    // A trailer that no response can carry is left out, and the others with it.
    () => response.end(),
  )
}
