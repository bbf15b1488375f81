import type { Readable } from 'node:stream'

import { findParser } from '../../context/parser-table.ts'
import type { BodyParser } from '../../context/parser-table.ts'
import { createError } from '../../errors.ts'
import { kBodyBytes, kBodyStream, kExchange, kParser } from '../../symbols.ts'
import type { ReplyImpl } from '../reply.ts'
import { mediaTypeOf } from '../request.ts'
import type { RequestImpl } from '../request.ts'
import type { RoutePlan } from '../route-plan.ts'

/**
 * Stage: chooses the parser for the body and reads what it wants.
 *
 * Rules: a request has a body when it has `Transfer-Encoding` or a `Content-Length` other than 0 (RFC 9112 section
 * 6.3). A body without a parser for its type is 415, one above the limit 413, and a length that does not hold is
 * 400; nothing more is then read from that connection. DELETE and OPTIONS seldom have a body: one without a type is
 * not read.
 */
export function readBody(plan: RoutePlan, request: RequestImpl, reply: ReplyImpl): unknown {
  const exchange = request[kExchange]
  const hasType = exchange.header('content-type') !== undefined
  if (!hasType && plan.bodyRule === 'typed') {
    throw createError('ROUTE_MISSING_CONTENT_TYPE', { method: exchange.method })
  }
  const length = exchange.header('content-length')
  const hasCoding = exchange.header('transfer-encoding') !== undefined
  const isEmpty = !hasCoding && (length === undefined || length === '0')
  const isAbsent = !hasCoding && length === undefined
  if (plan.bodyRule === 'seldom' ? isAbsent || !hasType : isEmpty && !hasType) return undefined

  const parser = chooseParser(plan, request)
  if (parser === null) return undefined
  request[kParser] = parser
  const limit = plan.ownBodyLimit ?? parser.bodyLimit ?? plan.bodyLimit
  const declared = length === undefined || hasCoding ? null : Number(length)
  if (declared !== null && declared > limit) throw refuse(reply, 'CTP_BODY_TOO_LARGE')
  if (parser.parseAs === null) {
    request[kBodyStream] ??= exchange.body
    return undefined
  }
  const stream = request[kBodyStream] ?? exchange.body
  return collect(stream, limit, declared).then(
    (bytes) => {
      request[kBodyBytes] = parser.parseAs === 'string' ? bytes.toString('utf8') : bytes
    },
    (error: unknown) => {
      throw closing(reply, error)
    },
  )
}

/** A not-found handler answers for every method and is no reason to refuse a body: what has no parser is left. */
function chooseParser(plan: RoutePlan, request: RequestImpl): BodyParser | null {
  if (plan.isNotFound && plan.app.methods.bodyRule(request.method) === 'never') return null
  const mediaType = mediaTypeOf(request)
  const parser = findParser(plan.parsers, mediaType)
  if (parser === null && !plan.isNotFound) {
    throw createError('CTP_INVALID_MEDIA_TYPE', { mediaType: mediaType.text })
  }
  return parser
}

type BodyFault = 'CTP_BODY_TOO_LARGE' | 'CTP_INVALID_CONTENT_LENGTH' | 'CTP_BODY_ABORTED'

function refuse(reply: ReplyImpl, fault: BodyFault): unknown {
  return closing(reply, createError(fault, {}))
}

/** What is left of a refused body must never be read as the next request: the connection is closed. */
function closing(reply: ReplyImpl, error: unknown): unknown {
  reply[kExchange].endConnection()
  return error
}

/** A stream that decodes a body may say how many bytes it has read of the encoded one. */
interface DecodingStream extends Readable {
  receivedEncodedLength?: number
}

function collect(stream: DecodingStream, limit: number, declared: number | null): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0

    const stop = (): void => {
      stream.off('data', onData)
      stream.off('end', onEnd)
      stream.off('error', onError)
      stream.off('close', onClose)
    }
    const fail = (error: unknown): void => {
      stop()
      stream.on('error', ignore)
      reject(error)
    }
    const onData = (chunk: Buffer | string): void => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      received += bytes.length
      const encoded = stream.receivedEncodedLength ?? received
      if (encoded > limit || received > limit) fail(createError('CTP_BODY_TOO_LARGE', {}))
      else chunks.push(bytes)
    }
    const onEnd = (): void => {
      stop()
      const encoded = stream.receivedEncodedLength ?? received
      if (declared !== null && encoded !== declared) reject(createError('CTP_INVALID_CONTENT_LENGTH', {}))
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    }
    const onError = (cause: Error & { statusCode?: number; code?: string }): void => {
      if (cause.code === 'ECONNRESET') {
        fail(createError('CTP_BODY_ABORTED', {}, { cause }))
        return
      }
      const isKnown = typeof cause.statusCode === 'number' && cause.statusCode >= 400
      fail(isKnown ? cause : Object.assign(cause, { statusCode: 400 }))
    }
    const onClose = (): void => fail(createError('CTP_BODY_ABORTED', {}))

    stream.on('data', onData)
    stream.on('end', onEnd)
    stream.on('error', onError)
    stream.on('close', onClose)
    stream.resume()
  })
}

function ignore(): void {}
