import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { cloister } from '../../../src/index.ts'

const UPGRADE = ['Connection: upgrade', 'Upgrade: h2c']
const CHUNKED = 'Transfer-Encoding: chunked'
/** Requests whose head and body arrive in one piece. */
const REQUESTS = [
  ['without a body', 'GET', [], ''],
  ['with a length', 'POST', ['Content-Length: 4'], 'text'],
  ['with chunks', 'POST', [CHUNKED], '2;a=b\r\nte\r\n2\r\nxt\r\n0\r\n\r\n'],
  ['with trailers', 'POST', [CHUNKED], '4\r\ntext\r\n0\r\nX-A: 1\r\n\r\n'],
] as const
const NEXT = 'GET /next HTTP/1.1\r\nHost: x\r\n\r\n'

let app: ReturnType<typeof cloister>
afterEach(() => app.close())

/** Sends each piece after the responses to the one before; returns what has come until then, or until the end of the connection. */
async function exchange(pieces: readonly string[]): Promise<string> {
  app = cloister({ transport: 'node', forceCloseConnections: true })
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: unknown) => body)
  app.route({ method: ['GET', 'POST'], url: '/first', handler: () => 'first' })
  app.get('/next', () => 'next')
  await app.listen({ port: 0 })
  const { port }: Partial<AddressInfo> = Object(app.server.address())
  const socket = connect(port ?? 0)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => {})
  let sent = ''
  for (const piece of pieces) {
    sent += piece
    socket.write(piece)
    const isDone = (): boolean =>
      socket.closed || received.split('HTTP/1.1 200').length === sent.split(' HTTP/1.1\r\n').length
    while (!isDone()) await new Promise((resolve) => setImmediate(resolve))
  }
  socket.destroy()
  return received
}

describe('a request for another protocol that nobody takes, over node:http,', () => {
  for (const [name, method, lines, body] of REQUESTS) {
    const request = (more: readonly string[]): string =>
      [`${method} /first HTTP/1.1`, 'Host: x', ...more, ...lines, '', body].join('\r\n')

    it(`keeps the connection ${name}`, async () => {
      const received = await exchange([request(UPGRADE), NEXT])
      expect(received).not.toMatch(/connection: close/i)
      expect(received).toMatch(/first[^]*next$/)
    })

    it(`announces the end of the connection ${name} and bytes behind it, which Node drops`, async () => {
      const received = await exchange([request(UPGRADE) + NEXT])
      expect(received).toMatch(/connection: close[^]*first$/i)
    })

    it(`keeps the connection ${name} if its Connection does not ask for the switch`, async () => {
      const received = await exchange([request(['Upgrade: h2c']) + NEXT, NEXT])
      expect(received).not.toMatch(/connection: close/i)
      expect(received).toMatch(/first[^]*next[^]*next$/)
    })
  }
})
