import { createServer } from 'node:net'
import type { Server as TcpServer, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Subject } from '../subject.ts'
import { certificate } from '../certificate.ts'
import * as work from '../workload.ts'

const HEAD_END = '\r\n\r\n'

/**
 * The floor under every server on Node's sockets: it reads nothing of a request but its first letters, and writes one
 * of three constant texts.
 */
export const subject: Subject = {
  start(kind) {
    const serve = serving(kind === 'service' ? SERVICE : '')
    const server =
      kind === 'tls' ? createTlsServer(certificate, serve) : createServer({ noDelay: true }, serve)
    return listen(server)
  },
}

function listen(server: TcpServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

const order = { sku: 'BK-1843', quantity: 3, accepted: true }

/** The fields that the service sends besides: CORS, those of helmet, and one of a hook. */
const SERVICE = `Vary: Origin\r
Access-Control-Allow-Origin: https://example.org\r
Access-Control-Allow-Credentials: true\r
Content-Security-Policy: default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests\r
Cross-Origin-Opener-Policy: same-origin\r
Cross-Origin-Resource-Policy: cross-origin\r
Origin-Agent-Cluster: ?1\r
Referrer-Policy: no-referrer\r
Strict-Transport-Security: max-age=31536000; includeSubDomains\r
X-Content-Type-Options: nosniff\r
X-DNS-Prefetch-Control: off\r
X-Download-Options: noopen\r
X-Frame-Options: SAMEORIGIN\r
X-Permitted-Cross-Domain-Policies: none\r
X-XSS-Protection: 0\r
x-powered-by: benchmark\r
`

function compose(status: string, fields: string, body: string): string {
  return `HTTP/1.1 ${status}\r
${fields}content-type: application/json; charset=utf-8\r
content-length: ${Buffer.byteLength(body)}\r
Date: ${new Date().toUTCString()}\r
Connection: keep-alive\r
Keep-Alive: timeout=72\r
\r
${body}`
}

function serving(fields: string): (socket: Socket) => void {
  const posted = compose('201 Created', fields, JSON.stringify(order))
  const user = compose('200 OK', fields, JSON.stringify(work.findUser(1843)))
  const hello = compose('200 OK', fields, JSON.stringify(work.sayHello()))
  return (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1', 0, 6)
      const response = text.startsWith('POST') ? posted : text === 'GET /u' ? user : hello
      socket.write(response.repeat(countRequests(chunk)), 'latin1')
    })
  }
}

function countRequests(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(HEAD_END); at !== -1; at = chunk.indexOf(HEAD_END, at + 4)) count += 1
  return count
}
