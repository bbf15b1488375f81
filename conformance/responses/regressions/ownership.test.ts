// An exchange that is over writes, resumes and ends nothing, whatever still holds it.
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import type { App, Reply, Request } from '../../harness/app-shape.ts'
import { createLogSink } from '../../harness/log-lines.ts'
import { describeConnections, describeLanes, sentAs, StrictClient, write } from '../lanes.ts'
import type { Lane } from '../lanes.ts'

const TIMEOUT_MS = 10
/** What is written late has arrived by then. */
const QUIET_MS = 10
const LATE = 'LATE'

/** A handler that is late goes on when its test says so: after the response by its deadline. */
class Gate {
  open: () => void = () => {}
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

/** A stream that begins after the deadline of its handler; some cannot be destroyed. */
function lateStream({ opened }: Gate, canDestroy: boolean): Readable {
  const stream = Readable.from(
    (async function* content() {
      await opened
      yield LATE
    })(),
    { objectMode: false },
  )
  if (!canDestroy) stream.destroy = () => stream
  return stream
}

const LATE_HANDLERS: Readonly<Record<string, (reply: Reply, gate: Gate) => unknown>> = {
  'sends a text late': async (reply, { opened }) => {
    await opened
    return reply.send(LATE)
  },
  'sends a stream whose first piece is late': (reply, gate) => reply.send(lateStream(gate, true)),
  'sends a late stream that cannot be destroyed': (reply, gate) => reply.send(lateStream(gate, false)),
  'writes on the raw response late': async (reply, { opened }) => {
    const { raw } = reply
    await opened
    raw.on('error', () => {})
    try {
      raw.write(LATE)
      raw.end(LATE)
    } catch {
      // An error is what an application may expect here.
    }
    return reply
  },
  'hints late': async (reply, { opened }) => {
    await opened
    reply.writeEarlyHints({ link: '</late.css>; rel=preload' })
    return reply.send(LATE)
  },
}

function createLate(lane: Lane, handler: (typeof LATE_HANDLERS)[string], gate: Gate): App {
  const app = lane.createApp()
  app.addContentTypeParser('application/x-own', (_request: Request, body: never, done) => done(null, body))
  app.get('/next', () => 'next')
  app.route({
    handlerTimeout: TIMEOUT_MS,
    method: ['GET', 'POST'],
    url: '/',
    handler: async (_request, reply) => handler(reply, gate),
  })
  return app
}

describeLanes('a handler that is late', (lane) => {
  for (const [what, handler] of Object.entries(LATE_HANDLERS)) {
    if (!lane.hasRaw && /raw|hints/.test(what)) continue
    it(`adds nothing to the response that took its place: it ${what}`, async () => {
      const gate = new Gate()
      const app = createLate(lane, handler, gate)
      app.addHook('onResponse', async ({ url }) => void (url === '/' && gate.open()))
      const { first, faults } = await lane.ask(app, { path: '/' })
      await gate.opened
      await pause(QUIET_MS)
      expect([first?.status, faults]).toEqual([503, []])
      expect(first?.content).not.toContain(LATE)
    })
  }
})

describeConnections('a handler that is late, whose client withholds the body', (lane) => {
  for (const [what, handler] of Object.entries(LATE_HANDLERS)) {
    for (const expecting of [[], ['Expect: 100-continue']]) {
      const how = expecting.length > 0 ? 'until it is asked' : 'for good'
      it(`adds nothing behind the response that took its place: it ${what}, ${how}`, async () => {
        const gate = new Gate()
        const client = await StrictClient.open(createLate(lane, handler, gate))
        const lines = ['Content-Type: application/x-own', 'Content-Length: 10', ...expecting]
        const question = { method: 'POST', path: '/', lines }
        client.socket.write(write(question))
        await client.readAll([sentAs(question)])
        gate.open()
        await pause(QUIET_MS)
        const { responses, faults } = client.read([question, { path: '/next' }].map(sentAs))
        client.socket.destroy()
        expect([faults, responses.map(({ status }) => status)]).toEqual([[], [503]])
      })
    }
  }
})

describeConnections('a response by the deadline of the handler', (lane) => {
  it('says that the connection ends, or keeps it', async () => {
    const gate = new Gate()
    const app = lane.createApp()
    app.get('/next', () => 'next')
    app.get('/', { handlerTimeout: TIMEOUT_MS }, (_request, reply) => reply.send(lateStream(gate, false)))
    const client = await StrictClient.open(app)
    client.socket.write(write({ path: '/' }))
    await client.until(() => client.bytes.length > 0)
    gate.open()
    await pause(QUIET_MS)
    const says = /\r\nconnection: close/i.test(client.bytes.toString())
    if (!says) client.socket.write(write({ path: '/next' }))
    const requests = says ? [{ path: '/' }] : [{ path: '/' }, { path: '/next' }]
    const { responses, faults } = await client.readAll(requests.map(sentAs))
    client.socket.destroy()
    expect([faults, responses.map(({ status }) => status)]).toEqual([[], says ? [503] : [503, 200]])
  })
})

describeConnections('a client that goes away', (lane) => {
  it('behind an early response is one end of its request, not two', async () => {
    const ends: string[] = []
    const app = lane.createApp()
    app.addContentTypeParser('application/x-own', (_request, body: never, done) => done(null, body))
    app.addHook('onResponse', async () => void ends.push('onResponse'))
    app.addHook('onRequestAbort', async () => void ends.push('onRequestAbort'))
    app.post('/', (_request, reply) => reply.code(401).send('refused'))
    const client = await StrictClient.open(app)
    const lines = ['Content-Type: application/x-own', 'Content-Length: 100000']
    client.socket.write(write({ method: 'POST', path: '/', lines }))
    await client.until(() => client.bytes.includes('refused'))
    if (lane.isEncrypted) client.socket.destroy()
    else client.socket.resetAndDestroy()
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(0))
    await pause(30)
    expect(ends).toEqual(['onResponse'])
  })

  it('within a stream is logged once', async () => {
    const sink = createLogSink()
    const app = lane.createApp({ logger: { level: 'info', stream: sink.stream } })
    app.get('/', (_request, reply) =>
      reply.send(
        Readable.from(
          (async function* endless() {
            for (;;) {
              yield 'tick;'
              await pause(5)
            }
          })(),
          { objectMode: false },
        ),
      ),
    )
    const client = await StrictClient.open(app)
    client.socket.write(write({ path: '/' }))
    await client.until(() => client.bytes.includes('tick'))
    client.socket.destroy()
    await sink.line('request aborted')
    await pause(30)
    const messages = sink.lines.map(({ msg }) => String(msg)).filter((msg) => /abort|premature/.test(msg))
    expect(messages.toSorted()).toEqual(['request aborted', 'stream closed prematurely'])
  })
})

describeConnections('an early response to an upload of unknown length', (lane) => {
  it.each([
    [415, '/', 'application/x-unknown'],
    [404, '/none', 'application/x-unknown'],
  ])('says that the connection ends, or is kept however long the rest is: %i', async (status, path, type) => {
    const app = lane.createApp()
    app.post('/', () => 'taken')
    app.get('/next', () => 'next')
    const client = await StrictClient.open(app)
    const question = {
      method: 'POST',
      path,
      lines: [`Content-Type: ${type}`, 'Transfer-Encoding: chunked'],
    }
    client.socket.write(`${write(question)}5\r\nhello\r\n`)
    const requests = [question, { path: '/next' }].map(sentAs)
    const { responses } = await client.readAll(requests, 1)
    expect(responses[0]?.status).toBe(status)
    if (responses[0]?.fields.get('connection')?.[0] !== 'close') {
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
      client.socket.write(`${chunk.repeat(40)}0\r\n\r\n${write({ path: '/next' })}`)
      expect((await client.readAll(requests)).responses[1]?.content).toBe('next')
    }
    client.socket.destroy()
  })
})

describeConnections('a response that is written on the raw response, while a broken body comes', (lane) => {
  for (const [what, text] of [
    ['short', 'text'],
    ['long', 'text '.repeat(1_000_000)],
  ] as const) {
    it(`is whole, and ends its request once: a ${what} one`, async () => {
      const ends: string[] = []
      const app = lane.createApp()
      app.addContentTypeParser('application/x-own', (_request, body: never, done) => done(null, body))
      app.addHook('onResponse', async () => void ends.push('onResponse'))
      app.addHook('onRequestAbort', async () => void ends.push('onRequestAbort'))
      app.post('/', ({ body }, reply) => {
        // The handler reads only a part of it.
        if (body instanceof Readable) body.once('data', () => body.pause())
        reply.hijack().raw.writeHead(200, { 'content-length': text.length }).end(text)
      })
      const client = await StrictClient.open(app)
      const lines = ['Content-Type: application/x-own', 'Transfer-Encoding: chunked']
      const question = { method: 'POST', path: '/', lines, body: '4\r\nsome\r\n' }
      client.write(write(question))
      await client.until(() => client.bytes.length > 0)
      client.write('no size\r\n')
      const { responses, faults } = await client.readAll([sentAs(question)])
      await vi.waitFor(() => expect(ends).toEqual(['onResponse']))
      await client.until(() => client.end !== 'open')
      client.socket.destroy()
      expect([faults, responses.map(({ content }) => content.length), client.end]).toEqual([
        [],
        [text.length],
        'ended',
      ])
      expect(ends).toEqual(['onResponse'])
    })
  }
})
