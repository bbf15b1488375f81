// A strict reader of HTTP/1.1 responses.

/** One final response. */
export interface WireResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** What came back on a connection. */
export interface Received {
  readonly responses: readonly WireResponse[]
  readonly interim: readonly number[]
  /** the last response is not complete */
  readonly isPartial: boolean
  /** why the bytes are no responses; `null` when they are */
  readonly fault: string | null
}

interface Head {
  readonly status: number
  readonly headers: Map<string, string>
}

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n\0]*)?$/
const FIELD_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/

function readHead(text: string): Head | string {
  const [first = '', ...lines] = text.split('\r\n')
  const status = STATUS_LINE.exec(first)?.[1]
  if (status === undefined) return `not a status line: ${JSON.stringify(first.slice(0, 60))}`
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = FIELD_LINE.exec(line) ?? []
    if (name === undefined) return `not a header line: ${JSON.stringify(line.slice(0, 60))}`
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return { status: Number(status), headers }
}

/** A body and where it ends; `null` when it is not complete, a text when it is none. */
type Body = { readonly text: string; readonly end: number } | string | null

function readChunked(text: string, start: number): Body {
  let body = ''
  for (let at = start; ;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const size = /^([0-9a-fA-F]{1,8})(?:;.*)?$/.exec(text.slice(at, lineEnd))?.[1]
    if (size === undefined) return `not a chunk size: ${JSON.stringify(text.slice(at, lineEnd))}`
    const length = Number.parseInt(size, 16)
    if (length === 0) {
      const end = text.indexOf('\r\n\r\n', lineEnd)
      return end === -1 ? null : { text: body, end: end + 4 }
    }
    const dataEnd = lineEnd + 2 + length
    if (text.length < dataEnd + 2) return null
    if (text.slice(dataEnd, dataEnd + 2) !== '\r\n') return 'a chunk does not end with CRLF'
    body += text.slice(lineEnd + 2, dataEnd)
    at = dataEnd + 2
  }
}

function readBody(text: string, start: number, { status, headers }: Head, method: string): Body {
  const coding = headers.get('transfer-encoding')
  const length = headers.get('content-length')
  if (coding !== undefined && length !== undefined) return 'both Transfer-Encoding and Content-Length'
  if (method === 'HEAD' || status === 204 || status === 304) return { text: '', end: start }
  if (coding !== undefined) {
    return coding.toLowerCase() === 'chunked' ? readChunked(text, start) : `transfer coding ${coding}`
  }
  if (length === undefined) return { text: text.slice(start), end: text.length }
  if (!/^\d+$/.test(length)) return `not a length: ${length}`
  const end = start + Number(length)
  return text.length < end ? null : { text: text.slice(start, end), end }
}

/**
 * Reads the responses on a connection.
 *
 * @param methods - the methods of the requests, where one is not GET
 */
export function readResponses(text: string, methods: readonly string[] = []): Received {
  const responses: WireResponse[] = []
  const interim: number[] = []
  const result = (isPartial: boolean, fault: string | null): Received => ({
    responses,
    interim,
    isPartial,
    fault,
  })
  for (let at = 0; at < text.length;) {
    const headEnd = text.indexOf('\r\n\r\n', at)
    if (headEnd === -1) return result(true, null)
    const head = readHead(text.slice(at, headEnd))
    if (typeof head === 'string') return result(false, head)
    at = headEnd + 4
    if (head.status < 200) {
      interim.push(head.status)
      if (head.status === 101) return result(false, null)
      continue
    }
    const body = readBody(text, at, head, methods[responses.length] ?? 'GET')
    if (typeof body === 'string') return result(false, body)
    if (body === null) return result(true, null)
    responses.push({ ...head, body: body.text })
    at = body.end
  }
  return result(false, null)
}
