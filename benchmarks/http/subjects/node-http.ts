import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { certificate } from '../certificate.ts'
import { lists } from '../lists.ts'
import type { Subject } from '../subject.ts'
import * as work from '../workload.ts'

/**
 * The floor: the same responses by hand on `node:http`, with no router, no validation and no hooks.
 * The difference from a framework is the cost of the framework.
 */
export const subject: Subject = {
  start(kind) {
    const server = kind === 'tls' ? createTlsServer(certificate, respond) : createServer(respond)
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  },
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '/'
  if (request.method === 'POST') {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const order: work.Order = JSON.parse(text)
      send(response, 201, JSON.stringify(work.acceptOrder(order)))
    })
  } else if (url.startsWith('/users/')) {
    send(response, 200, JSON.stringify(work.findUser(Number(url.slice('/users/'.length)))))
  } else if (url.startsWith('/lists/')) {
    const list = lists.find(({ plainPath, schemaPath }) => url === plainPath || url === schemaPath)
    send(response, 200, JSON.stringify(list?.value))
  } else {
    send(response, 200, JSON.stringify(work.sayHello()))
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
