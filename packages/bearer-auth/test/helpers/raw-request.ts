import { connect } from 'node:net'

/** What came back over the wire: status, header fields by lower-case name, body. */
export interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends one request exactly as it is written and reads the response until the server closes. */
export async function rawRequest(
  address: string,
  requestLine: string,
  fields: string[] = [],
): Promise<RawResponse> {
  const { hostname, port } = new URL(address)
  // A target with a host of its own has the same Host (RFC 9112 section 3.2.2).
  const host = /^\S+ http:\/\/([^/]+)/.exec(requestLine)?.[1] ?? hostname
  const head = [`${requestLine} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...fields]
  const socket = connect(Number(port), hostname)
  socket.end(`${head.join('\r\n')}\r\n\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return parse(Buffer.concat(chunks).toString('latin1'))
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(end + 4) }
}
