import type { Subject } from '../subject.ts'
import * as work from '../workload.ts'

/** What this subject needs of Bun, whose types are not installed. */
interface Bun {
  serve(options: {
    port: number
    hostname: string
    routes: Record<string, (request: Request & { params: Record<string, string> }) => unknown>
    fetch: () => Response
  }): { readonly port: number }
}

function isBun(value: unknown): value is Bun {
  return typeof value === 'object' && value !== null && 'serve' in value
}

/**
 * Bun's own server with its own router: the same responses by hand, without validation. It runs on Bun alone
 * (`--bun path`), and is no subject of Node.
 */
export const subject: Subject = {
  start() {
    const bun: unknown = Reflect.get(globalThis, 'Bun')
    if (!isBun(bun)) throw new Error('This subject runs on Bun; give its binary by --bun')
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const respond = (value: unknown, status = 200): Response =>
      new Response(JSON.stringify(value), { status, headers })
    const server = bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      routes: {
        '/users/:id': (request) => respond(work.findUser(Number(request.params['id']))),
        '/orders': async (request) => {
          const order: work.Order = JSON.parse(await request.text())
          return respond(work.acceptOrder(order), 201)
        },
        '/hello': () => respond(work.sayHello()),
      },
      fetch: () => new Response('no such route', { status: 404 }),
    })
    return Promise.resolve(server.port)
  },
}
