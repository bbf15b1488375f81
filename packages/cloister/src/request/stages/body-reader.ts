import { AsyncResource } from 'node:async_hooks'
import type { Readable } from 'node:stream'

import { Deferred } from '../../deferred.ts'
import { createError, isError } from '../../errors.ts'
import { kBodyBytes, kExchange } from '../../symbols.ts'
import { ownStatus } from '../errors/error-payload.ts'
import type { ReplyImpl } from '../reply.ts'

/** A stream that decodes a body may say how many bytes it has read of the encoded one. */
interface DecodingStream extends Readable {
  receivedEncodedLength?: number
}

/** Reads a body to its end, and stores it with the request. */
export class BodyReader {
  private readonly reply: ReplyImpl
  private readonly stream: DecodingStream
  private readonly isText: boolean
  private readonly limit: number
  private readonly declared: number | null
  private received: number
  /** most bodies come in one piece */
  private first: Buffer | null
  private others: Buffer[] | null
  private stop: () => void
  private resolve: () => void
  private reject: (error: unknown) => void

  /**
   * @param limit - the bytes that are taken at most
   * @param declared - the bytes that were announced, or `null`
   */
  constructor(
    reply: ReplyImpl,
    stream: DecodingStream,
    isText: boolean,
    limit: number,
    declared: number | null,
  ) {
    this.reply = reply
    this.stream = stream
    this.isText = isText
    this.limit = limit
    this.declared = declared
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
   * Reads a stream of a `preParsing` hook. One that fails takes the raw request down with it, so that the answer must
   * be out by then: the outcome is told where it comes, in the asynchronous context of the request.
   */
  readAtOnce(): Deferred {
    return new Deferred((fulfilled, rejected) => {
      this.resolve = AsyncResource.bind(() => fulfilled(undefined))
      this.reject = AsyncResource.bind(rejected)
      this.listen()
    })
  }

  private listen(): void {
    const { stream } = this
    const onData = (chunk: Buffer | string): void => this.take(chunk)
    const onEnd = (): void => this.end()
    const onError = (error: unknown): void => this.breakOff(error)
    const onClose = (): void => this.fail(createError('CTP_BODY_ABORTED', {}))
    stream.on('data', onData)
    stream.on('end', onEnd)
    stream.on('error', onError)
    stream.on('close', onClose)
    this.stop = () => {
      stream.off('data', onData)
      stream.off('end', onEnd)
      stream.off('error', onError)
      stream.off('close', onClose)
    }
    stream.resume()
  }

  private take(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.received += bytes.length
    const encoded = this.stream.receivedEncodedLength ?? this.received
    if (encoded > this.limit || this.received > this.limit) this.fail(createError('CTP_BODY_TOO_LARGE', {}))
    else if (this.first === null) this.first = bytes
    else if (this.others === null) this.others = [bytes]
    else this.others.push(bytes)
  }

  private end(): void {
    const { declared, received, first, others } = this
    this.stop()
    const encoded = this.stream.receivedEncodedLength ?? received
    if (declared !== null && encoded !== declared) {
      this.reject(closing(this.reply, createError('CTP_INVALID_CONTENT_LENGTH', {})))
      return
    }
    const head = first ?? Buffer.alloc(0)
    const bytes = others === null ? head : Buffer.concat([head, ...others])
    this.reply.request[kBodyBytes] = this.isText ? bytes.toString('utf8') : bytes
    this.resolve()
  }

  private breakOff(cause: unknown): void {
    this.fail(
      isReset(cause) ? createError('CTP_BODY_ABORTED', {}, { cause }) : asClientFault(this.reply, cause),
    )
  }

  private fail(error: unknown): void {
    this.stop()
    this.stream.on('error', ignore)
    this.reject(closing(this.reply, error))
  }
}

function isReset(cause: unknown): boolean {
  return isError(cause) && 'code' in cause && cause.code === 'ECONNRESET'
}

/** A body that cannot be read is the client's mistake, unless the error has a status of its own. */
function asClientFault(reply: ReplyImpl, error: unknown): unknown {
  if (ownStatus(error) !== undefined) return error
  if (!isError(error) || !Reflect.set(error, 'statusCode', 400)) reply.code(400)
  return error
}

/** What is left of a refused body must never be read as the next request: the connection is closed. */
export function closing(reply: ReplyImpl, error: unknown): unknown {
  reply[kExchange].endConnection()
  return error
}

function ignore(): void {}
