import * as zlib from 'node:zlib'
import type { Transform } from 'node:stream'

import { assertRules, rule, RULES } from './options.ts'
import type { CompressOptions } from './types.ts'

/** A content coding (RFC 9110 section 8.4.1) of this run time. */
export interface Coding {
  readonly compress: (bytes: Uint8Array) => Buffer
  readonly compressLater: (bytes: Uint8Array, done: (error: Error | null, bytes: Buffer) => void) => void
  readonly compressor: () => Transform
  readonly decompressor: () => Transform
}

const FAST_BROTLI = {
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 },
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
}
const FLUSHED = { flush: zlib.constants.Z_SYNC_FLUSH }

/** The codings that this run time has, by name. */
export const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ...zstd(),
  [
    'br',
    {
      compress: (bytes) => zlib.brotliCompressSync(bytes, FAST_BROTLI),
      compressLater: (bytes, done) => zlib.brotliCompress(bytes, FAST_BROTLI, done),
      compressor: () => zlib.createBrotliCompress(FAST_BROTLI),
      decompressor: () => zlib.createBrotliDecompress(),
    },
  ],
  [
    'gzip',
    {
      compress: (bytes) => zlib.gzipSync(bytes),
      compressLater: (bytes, done) => zlib.gzip(bytes, done),
      compressor: () => zlib.createGzip(FLUSHED),
      decompressor: () => zlib.createGunzip(),
    },
  ],
  [
    'deflate',
    {
      compress: (bytes) => zlib.deflateSync(bytes),
      compressLater: (bytes, done) => zlib.deflate(bytes, done),
      compressor: () => zlib.createDeflate(FLUSHED),
      decompressor: () => zlib.createInflate(),
    },
  ],
])

/** Members that Node has from 22.15 on. */
interface ZstdModule {
  readonly zstdCompressSync: Coding['compress']
  readonly zstdCompress: Coding['compressLater']
  readonly createZstdCompress: (options: { readonly flush: number }) => Transform
  readonly createZstdDecompress: Coding['decompressor']
}

function zstd(): [string, Coding][] {
  const found: Partial<ZstdModule> & Pick<typeof zlib, 'gzipSync'> = zlib
  const { zstdCompressSync: compress, zstdCompress: compressLater } = found
  const { createZstdCompress: createCompressor, createZstdDecompress: decompressor } = found
  const isWhole =
    compress !== undefined &&
    compressLater !== undefined &&
    createCompressor !== undefined &&
    decompressor !== undefined
  if (!isWhole) return []
  const flushed = { flush: Number(Reflect.get(zlib.constants, 'ZSTD_e_flush')) }
  return [['zstd', { compress, compressLater, compressor: () => createCompressor(flushed), decompressor }]]
}

/** The codings of responses, by preference. */
export const CODING_NAMES: readonly string[] = ['zstd', 'br', 'gzip']

/** A checked option `compress`. */
export interface Compression {
  readonly codings: readonly string[]
  readonly above: number
  readonly types: (type: string) => boolean
  readonly crossSite: boolean
}

const OPTIONS = {
  codings: rule(
    `a list of ${CODING_NAMES.join(', ')}`,
    (value) => Array.isArray(value) && value.every((one) => CODING_NAMES.includes(String(one))),
  ),
  above: RULES.count,
  types: RULES.fn,
  crossSite: RULES.flag,
}

/** Types that become smaller. Event streams are compressed only on demand, as some proxies hold them back then. */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:.+\+)?(?:json|xml|javascript|x-ndjson|jsonl)|image\/svg\+xml|application\/wasm)/i

/** Checks the option `compress`; `null` for none. */
export function compileCompression(given: boolean | CompressOptions): Compression | null {
  if (given === false) return null
  const options = given === true ? {} : given
  assertRules(options, OPTIONS, 'compress')
  return {
    codings: (options.codings ?? CODING_NAMES).filter((name) => CODINGS.has(name)),
    above: options.above ?? 1024,
    types: options.types ?? ((type) => COMPRESSIBLE.test(type)),
    crossSite: options.crossSite ?? false,
  }
}

/** Returns the name of a coding; its case doesn't matter, and `x-gzip` is `gzip` (RFC 9110 section 8.4.1.3). */
export function codingName(text: string): string {
  const name = text.trim().toLowerCase()
  return name === 'x-gzip' ? 'gzip' : name
}

/** Returns the weights of codings in `Accept-Encoding` (RFC 9110 section 12.5.3), without `*`. */
function weightsIn(field: string): (name: string) => number | undefined {
  const weights = new Map<string, number>()
  for (const item of field.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((one) => one.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))
    const value = weight === undefined ? 1 : Number(weight.slice(2))
    if (name !== '') weights.set(codingName(name), Number.isNaN(value) ? 0 : value)
  }
  return (name) => weights.get(name)
}

/** Returns the codings that a client names as accepted, or accepts as any. */
export function acceptedCodings(field: unknown): readonly string[] {
  if (typeof field !== 'string') return []
  const weightOf = weightsIn(field)
  return CODING_NAMES.filter((name) => (weightOf(name) ?? weightOf('*') ?? 0) > 0)
}

/**
 * Chooses the coding of a response (RFC 9110 section 12.5.3): the one that the client prefers, then the first of the
 * server.
 *
 * @returns `null` for none: the client accepts none of them, or prefers identity
 */
export function chooseCoding(field: unknown, offered: readonly string[]): string | null {
  if (typeof field !== 'string') return null
  const given = weightsIn(field)
  const weightOf = (name: string): number => given(name) ?? given('*') ?? 0
  const identity = given('identity') ?? 0
  let best: string | null = null
  for (const name of offered) {
    const weight = weightOf(name)
    if (weight > 0 && weight >= identity && (best === null || weight > weightOf(best))) best = name
  }
  return best
}
