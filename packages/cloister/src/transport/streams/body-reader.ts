import { AsyncResource } from 'node:async_hooks'
import { Readable } from 'node:stream'

import { ByteCollector } from '../../byte-collector.ts'
import { chunkBytes, joinBytes } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import { guardFailures } from './content-stream.ts'
import type { ByteStream } from '../../exchange/streams.ts'
import type { BodyReceiver, Content, Exchange, ReadAs } from '../../exchange/exchange.ts'
import { look } from '../../foreign.ts'
import { hush, typeName } from '../../guards.ts'
import { isError } from '../../read-error.ts'

/** Inlined `utf8Text`. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Reads the body of a request, or the stream that a hook has replaced it with, to its end; see `Exchange.readBody`.
 *
 * @param replacement - read instead of the body; `null` for the body itself
 */
export function readStream(
  { bodyStream, bodyLength }: Pick<Exchange, 'bodyStream' | 'bodyLength'>,
  replacement: ByteStream | null,
  limit: number,
  as: ReadAs,
  receiver: BodyReceiver,
): unknown {
  const stream = replacement ?? bodyStream
  // Such a body emits no more events: it was read to its end, or its client has gone.
  if (stream === bodyStream && (bodyStream.readableEnded === true || bodyStream.destroyed === true)) {
    receiver.receive(contentOf(takeRest(stream, bodyLength, limit, receiver), as))
    return undefined
  }
  const read = (resolve: () => void, reject: (error: unknown) => void): void => {
    const content = new ByteCollector()
    let received = 0
    const fail = (error: unknown): void => {
      unlisten()
      stream.on('error', hush)
      reject(receiver.refuse(error))
    }
    const onData = (chunk: unknown): void => {
      let bytes: Uint8Array
      try {
        bytes = chunk instanceof Uint8Array ? chunk : chunkBytes(chunk)
      } catch {
        // No parser accepts such a chunk.
        bytes = chunkBytes(typeName(chunk))
      }
      received += bytes.length
      const encoded = stream.receivedEncodedLength ?? received
      if (encoded > limit || received > limit) fail(createError('CTP_BODY_TOO_LARGE', {}))
      else content.add(bytes)
    }
    const onEnd = (): void => {
      // Remaining listeners would keep some requests in memory until a full collection (measured with `reply.raw`
      // taken).
      unlisten()
      const problem = problemOf(stream, bodyLength, received)
      if (problem === null) {
        receiver.receive(contentOf(content.take(), as))
        resolve()
      } else reject(receiver.refuse(problem))
    }
    const onError = (cause: unknown): void =>
      fail(isReset(cause) ? createError('CTP_BODY_ABORTED', {}, { cause }) : cause)
    const onClose = (): void => fail(createError('CTP_BODY_ABORTED', {}))
    // Inlined `listenTo`.
    stream.on('data', onData)
    stream.on('end', onEnd)
    stream.on('error', onError)
    stream.on('close', onClose)
    const unlisten = (): void => {
      stream.off('data', onData)
      stream.off('end', onEnd)
      stream.off('error', onError)
      stream.off('close', onClose)
    }
    stream.resume()
  }
  // A promise continues in the asynchronous context of the request.
  return stream === bodyStream ? new Promise<void>(read) : readAtOnce(stream, read, receiver)
}

/** Why a body that has ended is not the whole one; `null` if it is. */
function problemOf(stream: ByteStream, bodyLength: number | null, received: number): Error | null {
  const encoded = stream.receivedEncodedLength ?? received
  const isRight = bodyLength === null || encoded === bodyLength
  return isRight ? null : createError('CTP_INVALID_CONTENT_LENGTH', {})
}

function contentOf(pieces: readonly Uint8Array[], as: ReadAs): Content {
  const [first] = pieces
  const bytes = pieces.length === 1 && first !== undefined ? first : joinBytes(pieces)
  return as === 'text' ? UTF8.decode(bytes) : chunkBytes(bytes)
}

/** Set on a request of HTTP/2 when it is certain whether its body came whole. */
const kWhole: unique symbol = Symbol('cloister.whole')

/** A request of HTTP/2 with a body. */
type Request2 = object & Pick<Readable, 'destroy' | 'listenerCount' | 'read' | 'readableFlowing' | 'resume'>

/**
 * Notes whether a body of HTTP/2 comes whole, and breaks it off where its client leaves within it, as Node does in
 * HTTP/1.1: here Node ends it, so a parser or a stream of the application would take it as whole.
 */
export function watchBody(request: Request2, stream: unknown): void {
  if (!(stream instanceof Readable)) return
  const breakOff = (): void => {
    // Without a listener, this error would end the process.
    if (look(request, kWhole) !== true)
      request.destroy(request.listenerCount('error') > 0 ? createReset() : undefined)
  }
  // Clients may leave with the code of no error, as Node's do when a request is destroyed. Then Node ends the body.
  stream.once('aborted', () => {
    if (look(look(stream, '_readableState'), 'ended') === false) Reflect.set(request, kWhole, false)
  })
  // Before the listeners of Node, which end the request.
  stream.prependOnceListener('end', () => {
    if (look(stream, 'rstCode') === 0 && look(request, kWhole) !== false) Reflect.set(request, kWhole, true)
    else breakOff()
  })
  stream.prependOnceListener('close', breakOff)
}

/** The error that Node gives a body of HTTP/1.1. */
function createReset(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

/**
 * Keeps the body of an HTTP/2 request while a hook waits: Node discards the bytes of a stream that its client has closed
 * before the app began to read them.
 *
 * Node leaves the stream of such a body open after the response if nothing reads it, so its client could not send the
 * rest, and the session would run out of streams. It is read to its end, as on a connection of HTTP/1.1; a reset could
 * overtake the end of the response.
 */
export function keepBody(
  request: Request2,
  response: { readonly writableEnded: boolean },
  stream: unknown,
): void {
  request.read(0)
  if (!(stream instanceof Readable)) return
  stream.once('finish', () => {
    // The stream of a client that has left finishes, too.
    if (response.writableEnded && request.readableFlowing === null) request.resume()
  })
}

/** Whether a body of HTTP/2 was cut. */
function isCut(body: ByteStream): boolean {
  const code = look(look(body, 'stream'), 'rstCode') ?? 0
  return look(body, kWhole) !== true && (code !== 0 || look(body, kWhole) === false)
}

/**
 * Returns what is left of a body that emits no more events. Node destroys the request of a client that has gone, also
 * one that came whole and waits for a hook; its bytes are still there.
 *
 * @throws the receiver's error for `CLO_ERR_CTP_BODY_CONSUMED`, `CLO_ERR_CTP_BODY_ABORTED`, `CLO_ERR_CTP_BODY_TOO_LARGE`
 */
function takeRest(
  stream: ByteStream,
  bodyLength: number | null,
  limit: number,
  receiver: BodyReceiver,
): readonly Uint8Array[] {
  if (bodyLength === 0) return []
  if ('stream' in stream && isCut(stream)) throw receiver.refuse(createError('CTP_BODY_ABORTED', {}))
  const isRead = look(stream, 'readableEnded') === true
  const isWhole = look(stream, 'complete') === true && look(stream, 'readableDidRead') === false
  // Platforms of functions keep the bytes that they have read.
  const rest = isWhole ? storedIn(stream) : [isRead ? look(stream, 'rawBody') : null]
  const pieces = rest.filter((piece) => piece instanceof Uint8Array)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const isRest = pieces.length > 0 && (bodyLength === null || length === bodyLength)
  if (!isRest) throw isRead ? receiver.consumed() : receiver.refuse(createError('CTP_BODY_ABORTED', {}))
  if (length > limit) throw receiver.refuse(createError('CTP_BODY_TOO_LARGE', {}))
  return pieces
}

/** Takes what a stream has stored. From Node 26 on, `read` returns one piece of it. */
function storedIn(stream: ByteStream): readonly unknown[] {
  const pieces: unknown[] = []
  const next = (): unknown => stream.read?.() ?? null
  for (let piece = next(); piece !== null; piece = next()) pieces.push(piece)
  return pieces
}

/** Starts reading. Exactly one of the functions is called. */
type Read = (resolve: () => void, reject: (error: unknown) => void) => void

/**
 * Reads a stream of a `preParsing` hook. If it fails, it destroys the raw request, so the response must be sent before.
 * Therefore the continuation runs synchronously at the end of the stream, in the asynchronous context of the request.
 */
function readAtOnce(stream: ByteStream, read: Read, receiver: BodyReceiver): Deferred {
  // It may also fail after its end.
  guardFailures(stream).on('error', hush)
  // Its events may already have been emitted.
  if (look(stream, 'destroyed') === true)
    throw receiver.refuse(look(stream, 'errored') ?? createError('CTP_BODY_ABORTED', {}))
  return {
    then: (fulfilled, rejected) => {
      // On Node 20, `AsyncResource.bind` costs half as much as a request.
      const scope = new AsyncResource('CLOISTERBODY')
      read(
        () => scope.runInAsyncScope(fulfilled, undefined, undefined),
        (error) => scope.runInAsyncScope(rejected, undefined, error),
      )
    },
  }
}

/** A lazy, single-use thenable. `then` starts the work. The continuation runs synchronously when the work ends. */
export interface Deferred {
  then(fulfilled: (value: unknown) => void, rejected: (error: unknown) => void): void
}

function isReset(cause: unknown): boolean {
  return isError(cause) && look(cause, 'code') === 'ECONNRESET'
}
