import { AsyncResource } from 'node:async_hooks'

import { chunkBytes } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import { guardFailures } from './content-stream.ts'
import type { ByteStream } from '../../exchange/streams.ts'
import type { BodyReceiver, Exchange, ReadAs } from '../../exchange/exchange.ts'
import { look } from '../../foreign.ts'
import { hush, typeName } from '../../guards.ts'
import { isError } from '../../read-error.ts'

/** Reads a body to its end, and hands it to its receiver. */
export class BodyReader {
  private readonly stream: ByteStream
  private readonly isText: boolean
  private readonly limit: number
  private readonly declared: number | null
  private readonly receiver: BodyReceiver
  private received: number
  /** most bodies come in one piece */
  private first: Buffer | null
  private others: Buffer[] | null
  private stop: () => void
  private resolve: () => void
  private reject: (error: unknown) => void

  /**
   * @param limit - the most bytes that are taken
   * @param declared - the bytes that were announced, or `null`
   */
  constructor(
    stream: ByteStream,
    isText: boolean,
    limit: number,
    declared: number | null,
    receiver: BodyReceiver,
  ) {
    this.stream = stream
    this.isText = isText
    this.limit = limit
    this.declared = declared
    this.receiver = receiver
    this.received = 0
    this.first = null
    this.others = null
    this.stop = ignore
    this.resolve = ignore
    this.reject = ignore
  }

  /** @returns a promise, so that what follows runs in the asynchronous context of the request */
  read(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      this.listen()
    })
  }

  /**
   * Reads a stream of a `preParsing` hook. One that fails takes the raw request down with it, so that the response
   * must be out by then: what follows runs where the stream ends, in the asynchronous context of the request.
   */
  readAtOnce(): Deferred {
    const { stream } = this
    // It may fail after its end, too.
    guardFailures(stream).on('error', hush)
    // Its events may be over.
    if (look(stream, 'destroyed') === true)
      throw this.receiver.refuse(look(stream, 'errored') ?? abortedBody())
    return new Deferred((fulfilled, rejected) => {
      this.resolve = AsyncResource.bind(() => fulfilled(undefined))
      this.reject = AsyncResource.bind(rejected)
      this.listen()
    })
  }

  private listen(): void {
    const { stream } = this
    const onData = (chunk: unknown): void => {
      let bytes: Buffer
      try {
        bytes = Buffer.isBuffer(chunk) ? chunk : chunkBytes(chunk)
      } catch {
        // No parser takes it.
        bytes = Buffer.from(typeName(chunk))
      }
      this.received += bytes.length
      const encoded = stream.receivedEncodedLength ?? this.received
      if (encoded > this.limit || this.received > this.limit) this.fail(createError('CTP_BODY_TOO_LARGE', {}))
      else if (this.first === null) this.first = bytes
      else if (this.others === null) this.others = [bytes]
      else this.others.push(bytes)
    }
    const onEnd = (): void => this.end()
    const onError = (error: unknown): void => this.breakOff(error)
    const onClose = (): void => this.fail(abortedBody())
    stream.on('data', onData)
    stream.on('end', onEnd)
    stream.on('error', onError)
    stream.on('close', onClose)
    // Listeners that stay on keep some requests in memory until a full collection (measured with a raw response taken).
    this.stop = () => {
      stream.off('data', onData)
      stream.off('end', onEnd)
      stream.off('error', onError)
      stream.off('close', onClose)
    }
    stream.resume()
  }

  private end(): void {
    const { declared, received, first, others } = this
    this.stop()
    const encoded = this.stream.receivedEncodedLength ?? received
    if (declared !== null && encoded !== declared) {
      this.reject(this.receiver.refuse(createError('CTP_INVALID_CONTENT_LENGTH', {})))
      return
    }
    const head = first ?? Buffer.alloc(0)
    const bytes = others === null ? head : Buffer.concat([head, ...others])
    this.receiver.receive(this.isText ? bytes.toString('utf8') : bytes)
    this.resolve()
  }

  private breakOff(cause: unknown): void {
    this.fail(isReset(cause) ? createError('CTP_BODY_ABORTED', {}, { cause }) : cause)
  }

  private fail(error: unknown): void {
    this.stop()
    this.stream.on('error', hush)
    this.reject(this.receiver.refuse(error))
  }
}

const abortedBody = (): Error => createError('CTP_BODY_ABORTED', {})

function isReset(cause: unknown): boolean {
  return isError(cause) && look(cause, 'code') === 'ECONNRESET'
}

function ignore(): void {}

/**
 * Reads the body of a request as a stream, or the stream that a hook has put in its place; see `Exchange.readBody`.
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
  const reader = new BodyReader(stream, as === 'text', limit, bodyLength, receiver)
  return stream === bodyStream ? reader.read() : reader.readAtOnce()
}

type Fulfilled = (value: unknown) => void
type Rejected = (error: unknown) => void

/**
 * A lazy, single-use thenable. `then` starts the work; the continuation runs synchronously where the work ends,
 * in its asynchronous context. It is waited for once.
 */
export class Deferred {
  readonly #start: (fulfilled: Fulfilled, rejected: Rejected) => void

  constructor(start: (fulfilled: Fulfilled, rejected: Rejected) => void) {
    this.#start = start
  }
  then(fulfilled: Fulfilled, rejected: Rejected): void {
    this.#start(fulfilled, rejected)
  }
}
