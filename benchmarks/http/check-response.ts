import type { Workload } from './workload.ts'

/**
 * Compares a response with what the workload expects: status, content type, length, every byte of the body.
 *
 * @returns the length of the whole response, 0 while it is not complete
 */
export function checkResponse(bytes: Buffer, workload: Workload): number {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return 0
  checkHead(bytes.toString('latin1', 0, headEnd), workload)
  const content = readContent(bytes, headEnd + 4, workload)
  if (content === null) return 0
  compare(withPeerCode(content.body), Buffer.from(workload.expected.body), workload)
  return content.end
}

function checkHead(head: string, { name, expected }: Workload): void {
  const { status, type = 'application/json; charset=utf-8', demands = [] } = expected
  const framing = expected.chunked
    ? '\r\ntransfer-encoding: chunked'
    : `\r\ncontent-length: ${Buffer.byteLength(expected.body)}`
  const needed = [`http/1.1 ${status} `, `\r\ncontent-type: ${type}`, framing, '\r\ndate: ', ...demands]
  const missing = needed.find((demand) => !head.toLowerCase().includes(demand))
  if (missing !== undefined) throw new Error(`${name}: the head lacks ${JSON.stringify(missing)}:\n${head}`)
}

/** The body and where it ends, or `null` while it is not complete. */
function readContent(
  bytes: Buffer,
  start: number,
  { expected }: Workload,
): { body: Buffer; end: number } | null {
  if (expected.chunked) return readChunks(bytes, start)
  const end = start + Buffer.byteLength(expected.body)
  return bytes.length < end ? null : { body: bytes.subarray(start, end), end }
}

/** Puts chunks together (RFC 9112 section 7.1); they have neither extensions nor trailers. */
function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | null {
  const chunks: Buffer[] = []
  for (let at = start; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (!(end <= bytes.length)) return null
    if (size === 0) return { body: Buffer.concat(chunks), end }
    chunks.push(bytes.subarray(lineEnd + 2, end - 2))
    at = end
  }
  return null
}

/** The codes of errors have prefixes of their own, of one length. */
function withPeerCode(body: Buffer): Buffer {
  const at = body.indexOf('CLO_ERR_')
  return at === -1 ? body : Buffer.from(body.toString('latin1').replace('CLO_ERR_', 'FST_ERR_'), 'latin1')
}

function compare(body: Buffer, expected: Buffer, { name }: Workload): void {
  if (body.equals(expected)) return
  const from = expected.findIndex((byte, index) => byte !== body[index])
  const part = (whole: Buffer): string => whole.toString('utf8', Math.max(0, from - 40), from + 80)
  throw new Error(`${name}: at byte ${from} of the body came\n${part(body)}\ninstead of\n${part(expected)}`)
}
