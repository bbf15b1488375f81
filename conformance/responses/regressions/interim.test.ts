// `100 Continue` comes before the response of its own request, once, and as long as the body has not come.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Readable } from 'node:stream'
import type { App, Reply, Request } from '../../harness/app-shape.ts'
import { describeConnections, sentAs, StrictClient, write } from '../lanes.ts'
import type { ConnectionLane } from '../lanes.ts'

const BODY = 'ten octets'
const LINES = ['Expect: 100-continue', 'Content-Type: application/x-stream']
const EXPECTING = { method: 'POST', lines: LINES, body: BODY }
const NEXT = { path: '/next' }

/** What handlers do with a client that waits to be asked. */
const HANDLERS: Readonly<Record<string, (request: Request, reply: Reply) => unknown>> = {
  'streams before it reads': async (request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/plain' })
    reply.raw.write('begun;')
    await pause(10)
    for await (const _ of request.raw) continue
    reply.raw.end('ended')
    return reply
  },
  'listens to the raw request, and refuses': async (request, reply) => {
    request.raw.on('data', () => {})
    return reply.code(401).send('refused')
  },
  'refuses, and reads later': async (request, reply) => {
    const { raw } = request
    reply.code(401).send('refused')
    await pause(10)
    raw.resume()
    await pause(5)
    return reply
  },
  'refuses, and never reads': (_request, reply) => reply.code(401).send('refused'),
  'reads, and responds': async (request, reply) => {
    let size = 0
    for await (const chunk of request.body as Readable) size += Buffer.byteLength(chunk as Buffer)
    return reply.send(`${size}`)
  },
}

function createApp({ createApp: create }: ConnectionLane, handler: (typeof HANDLERS)[string]): App {
  const app = create()
  app.addContentTypeParser('application/x-stream', (_request: Request, body: never, done) => done(null, body))
  app.get('/next', () => 'next')
  app.post('/', async (request, reply) => handler(request, reply))
  return app
}

describeConnections('a client that expects 100 Continue', (lane) => {
  for (const [what, handler] of Object.entries(HANDLERS)) {
    for (const when of ['with the head', 'later', 'when asked']) {
      it(`gets one response, and nothing within or behind it: the handler ${what}, the body comes ${when}`, async () => {
        const client = await StrictClient.open(createApp(lane, handler))
        const question = { ...EXPECTING, path: '/' }
        const requests = [question, NEXT]
        const bytes = write(question)
        const isLater = when !== 'with the head'
        client.socket.write(isLater ? bytes.slice(0, -BODY.length) : bytes)
        if (when === 'later') await pause(5)
        if (when === 'when asked') await client.until(() => client.bytes.length > 0)
        const isRefused = client.bytes.toString().startsWith('HTTP/1.1 401')
        // A client that is refused before it was asked sends no body, and the connection ends (RFC 9110 section 10.1.1).
        if (isLater && !isRefused) client.socket.write(BODY)
        if (!isRefused) client.socket.write(write(NEXT))
        const { responses, faults } = await client.readAll(requests.map(sentAs), isRefused ? 1 : 2)
        client.socket.destroy()
        expect([faults, responses[0]?.isComplete]).toEqual([[], true])
        const expected = ['ended', 'refused', '10'].find((end) => responses[0]?.content.endsWith(end))
        expect(expected).toBeDefined()
        if (responses.length > 1) expect(responses[1]?.content).toBe('next')
      })
    }
  }
})
