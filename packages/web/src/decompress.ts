import { Transform, pipeline } from 'node:stream'
import type { Readable } from 'node:stream'

import { codingName, CODINGS } from './codings.ts'
import { WebRefusal } from './errors.ts'
import { assertRules, rule, RULES } from './options.ts'
import type { DecompressOptions } from './types.ts'

/** A checked option `decompress`. */
export interface Decompression {
  readonly codings: readonly string[]
  readonly ratio: number
}

const NAMES: readonly string[] = ['gzip', 'br', 'zstd', 'deflate']
const MAX_CODINGS = 2
/** From this many decoded bytes on, the ratio counts. */
const FREE_BYTES = 65_536

const OPTIONS = {
  codings: rule(
    `a list of ${NAMES.join(', ')}`,
    (value) => Array.isArray(value) && value.every((one) => NAMES.includes(String(one))),
  ),
  ratio: RULES.positive,
}

/** Checks the option `decompress`; `null` if it is switched off. */
export function compileDecompression(given: false | DecompressOptions): Decompression | null {
  if (given === false) return null
  assertRules(given, OPTIONS, 'decompress')
  const codings = given.codings ?? ['gzip', 'br', 'zstd']
  return { codings: codings.filter((name) => CODINGS.has(name)), ratio: given.ratio ?? 100 }
}

/** A body, as the framework reads it. */
interface BodyStream extends Readable {
  receivedEncodedLength?: number
}

/**
 * Returns the decoded body.
 *
 * @param field - `Content-Encoding`: the codings in the order in which they were applied (RFC 9110 section 8.4)
 * @returns `null` if the body has no coding
 * @throws WebRefusal with the status 415; the header `Accept-Encoding` of its response lists `codings`
 */
export function decodeBody(
  body: Readable,
  field: unknown,
  { codings, ratio }: Decompression,
): BodyStream | null {
  const names = String(field ?? '')
    .split(',')
    .map(codingName)
    .filter((one) => one !== '' && one !== 'identity')
  if (names.length === 0) return null
  const decoders = names.toReversed().map((name) => (codings.includes(name) ? CODINGS.get(name) : undefined))
  if (names.length > MAX_CODINGS || decoders.includes(undefined))
    throw new WebRefusal(
      'CLO_ERR_WEB_CODING',
      `The content coding '${names.join(', ')}' of the body is not read`,
    )
  const counter = new Counter()
  const decoded: BodyStream = new Guard(counter, ratio)
  const streams = [
    body,
    counter,
    ...decoders.map((one) => one?.decompressor()).filter((one) => one !== undefined),
    decoded,
  ]
  pipeline(streams, (error) => {
    if (error == null || decoded.destroyed) return
    decoded.destroy(error)
  })
  Object.defineProperty(decoded, 'receivedEncodedLength', { get: () => counter.bytes })
  return decoded
}

class Counter extends Transform {
  bytes = 0

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error: null, chunk: Buffer) => void,
  ): void {
    this.bytes += chunk.length
    done(null, chunk)
  }
}

/** Ends a body that is much larger than the bytes that it came in. */
class Guard extends Transform {
  readonly #received: { readonly bytes: number }
  readonly #ratio: number
  #bytes = 0

  constructor(received: { readonly bytes: number }, ratio: number) {
    super()
    this.#received = received
    this.#ratio = ratio
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error: Error | null, chunk?: Buffer) => void,
  ): void {
    this.#bytes += chunk.length
    const isBomb = this.#bytes > FREE_BYTES && this.#bytes > this.#received.bytes * this.#ratio
    if (!isBomb) done(null, chunk)
    else
      done(
        new WebRefusal(
          'CLO_ERR_WEB_BODY_TOO_LARGE',
          `The body is more than ${this.#ratio} times as large as the ${this.#received.bytes} bytes that were sent`,
        ),
      )
  }

  /** What a decoder says about its bytes is no error of the app. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const code: unknown = error === null ? undefined : Reflect.get(error, 'code')
    const isOfDecoder = typeof code === 'string' && /^(?:Z_|ERR__|ERR_BROTLI|ERR_ZSTD|ZSTD_)/.test(code)
    done(
      error !== null && isOfDecoder && !(error instanceof WebRefusal)
        ? new WebRefusal('CLO_ERR_WEB_BODY_INVALID', 'The body is not what its content coding says', {
            cause: error,
          })
        : error,
    )
  }
}
