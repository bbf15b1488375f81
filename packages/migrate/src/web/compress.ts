import { isFunctionNode } from '@cloister/cli/internal'
import { equal, joined, note, noted, NOTHING, quoted, same } from './equal.ts'
import type { Equal, Given, PeerRows, Row } from './equal.ts'

const isOff = (given: Given | undefined): boolean => given?.literal?.value === false

const codings =
  (option: string, known: readonly string[]): Row =>
  ({ text, literal }) => {
    if (!Array.isArray(literal?.value))
      return note(`its value is not in this file: ${option}: [ … ] of ${known.join(', ')}`)
    const names = literal.value.map(String)
    const kept = names.filter((name) => known.includes(name))
    const lost = names.filter((name) => !known.includes(name) && name !== 'identity')
    const remark = lost.length === 0 ? null : `${lost.join(', ')} has no equal`
    if (kept.length === 0) return note(remark ?? 'identity alone compresses nothing')
    return equal(
      { [option]: kept.length === names.length ? text : `[${kept.map(quoted).join(', ')}]` },
      remark,
    )
  }

/** The options of `@fastify/compress`. */
export const COMPRESS: PeerRows = {
  rows: {
    threshold: same('compress.above'),
    encodings: codings('compress.codings', ['zstd', 'br', 'gzip']),
    customTypes: (given) => typesOf(given),
    global: offFor('compress', 'decompress'),
    globalCompression: offFor('compress'),
    globalDecompression: offFor('decompress'),
    requestEncodings: codings('decompress.codings', ['zstd', 'br', 'gzip', 'deflate']),
    forceRequestEncoding: noted('no equal: the coding of a body is what Content-Encoding says'),
    brotliOptions: noted('no equal: quality 4'),
    zlibOptions: noted('no equal: level 6'),
    zlib: noted('no equal: node:zlib'),
    inflateIfDeflated: noted('no equal: a response with a content coding stays as it is'),
    onUnsupportedEncoding: noted('not needed: a client that takes no coding gets the plain response'),
    onUnsupportedRequestEncoding: noted(
      'the error handler: the error is a 415 with the code CLO_ERR_WEB_CODING',
    ),
    onInvalidRequestPayload: noted(
      'the error handler: the error is a 400 with the code CLO_ERR_WEB_BODY_INVALID',
    ),
    removeContentLengthHeader: noted('not needed: the length is that of the compressed content'),
    syncThreshold: noted('not needed: content up to 16 KiB'),
  },
  defaults: (given) => {
    if (isOff(given['global']) || isOff(given['globalCompression'])) return NOTHING
    const isOn = given['threshold'] ?? given['encodings'] ?? given['customTypes']
    return joined(
      isOn === undefined ? equal({ compress: 'true' }) : NOTHING,
      note(
        'requests with cookies from pages of other sites get plain responses, unless compress: { crossSite: true }',
      ),
    )
  },
}

function offFor(...parts: readonly string[]): Row {
  return (given) =>
    isOff(given)
      ? equal(
          Object.fromEntries(parts.map((part) => [part, 'false'])),
          `switch it on where a route needs it: web: { ${parts[0] ?? ''}: ${parts[0] === 'compress' ? 'true' : '{}'} }`,
        )
      : NOTHING
}

function typesOf({ node, text, literal }: Given): Equal {
  if (literal?.value instanceof RegExp) return equal({ 'compress.types': `(type) => ${text}.test(type)` })
  return isFunctionNode(node)
    ? equal({ 'compress.types': text })
    : note('its value is not in this file: compress: { types: (type) => boolean }')
}
