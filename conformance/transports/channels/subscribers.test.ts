// What subscribers of the diagnostics channels of `node:http` do with the objects that they get.
import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { describe, expect, onTestFinished } from 'vitest'
import type { App } from '../../harness/app-shape.ts'
import { createLogSink } from '../../harness/log-lines.ts'
import { rawSocket } from '../../harness/raw-socket.ts'
import { ours, useApps } from '../../harness/transports.ts'

interface Message {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: Server
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'server' in value
}

/** Subscribes to the start of requests until the end of the test. */
function onStart(take: (message: Message) => void): void {
  const listener = (message: unknown): void => {
    if (isMessage(message)) take(message)
  }
  diagnostics.subscribe('http.server.request.start', listener)
  onTestFinished(() => void diagnostics.unsubscribe('http.server.request.start', listener))
}

const post = (target: string, body: string, ...lines: string[]): string =>
  [`POST ${target} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...lines, '', body].join('\r\n')
const TEXT = 'Content-Type: text/plain'
const CLOSE = 'Connection: close'

const withoutTime = (text: string): string => text.replaceAll(/^Date: .*GMT/gm, 'Date: now')

const test = ours('the peers have one engine')

describe('a subscriber of the channels of node:http', () => {
  const createApp = useApps()

  function echoApp(options: Record<string, unknown>): App {
    const app = createApp(options)
    app.post('/:id', async (request) => `${request.url} ${String(request.body)}`)
    return app
  }

  /** The responses to the same bytes over both engines. */
  async function both(bytes: string): Promise<string[]> {
    const texts: string[] = []
    for (const transport of ['node', 'auto']) {
      const app = echoApp({ transport })
      texts.push(withoutTime((await rawSocket(app, bytes)).text))
      expect(app.transport.name).toBe(transport === 'node' ? 'node' : 'wire')
    }
    return texts
  }

  test('leaves requests on the engine', async () => {
    const app = echoApp({ transport: 'auto' })
    const urls: unknown[] = []
    onStart(({ request }) => urls.push(request.url))
    await rawSocket(app, post('/1', 'a', TEXT) + post('/2', 'b', TEXT, CLOSE))
    expect([urls, app.transport.handedOver]).toEqual([['/1', '/2'], {}])
  })

  test('may replace the emit of the server: it gets that request and all later ones, once each', async () => {
    const sink = createLogSink()
    const app = echoApp({ transport: 'auto', logger: { stream: sink.stream } })
    const seen: string[] = []
    let isReplaced = false
    onStart(({ server }) => {
      if (isReplaced) return
      isReplaced = true
      const { emit } = server
      server.emit = function traced(this: Server, ...given: unknown[]): boolean {
        const [event, request] = given
        if (event === 'request' && typeof request === 'object')
          seen.push(String(Reflect.get(Object(request), 'url')))
        return Boolean(Reflect.apply(emit, this, given))
      }
    })
    const { statuses, text } = await rawSocket(
      app,
      post('/1', 'first', TEXT) + post('/2', 'second', TEXT) + post('/3', 'third', TEXT, CLOSE),
    )
    expect(statuses).toEqual([200, 200, 200])
    expect(text).toMatch(/\/1 first[^]*\/2 second[^]*\/3 third$/)
    expect(seen).toEqual(['/1', '/2', '/3'])
    expect(app.transport).toMatchObject({ name: 'node', handedOver: { 'a replaced emit': 1 } })
    const notices = sink.lines.filter(({ msg }) =>
      /from now on: a replaced emit .* @cloister\/otel/.test(String(msg)),
    )
    expect(notices).toEqual([expect.objectContaining({ transport: 'node' })])
  })

  test('may add a listener of request, which gets that request, too', async () => {
    const app = echoApp({ transport: 'auto' })
    const seen: unknown[] = []
    onStart(({ server }) => {
      if (server.listenerCount('request') > 1) return
      server.on('request', (request) => seen.push(request.url))
    })
    await rawSocket(app, post('/1', 'a', TEXT) + post('/2', 'b', TEXT, CLOSE))
    expect(seen).toEqual(['/1', '/2'])
  })

  test('may set headers, replace methods and end the response, as over node:http', async () => {
    const acts: ((message: Message) => void)[] = [
      ({ response }) => void response.setHeader('x-trace', '1'),
      ({ response }) => void response.end('of the subscriber'),
      ({ response }) => void response.write('of the subscriber'),
      ({ response }) => {
        const { writeHead } = response
        response.writeHead = ((status: number, headers: Record<string, string>) =>
          writeHead.call(response, status, { ...headers, 'x-late': '1' })) as typeof writeHead
      },
      ({ request }) => void (request.headers['content-type'] = 'text/none'),
    ]
    let act: (message: Message) => void = () => {}
    onStart((message) => act(message))
    const sent: (string | undefined)[] = []
    for (const one of acts) {
      act = one
      const [node, engine] = await both(post('/1', 'a', TEXT, CLOSE))
      expect(engine).toBe(node)
      sent.push(node)
    }
    // The app cannot respond behind the part of another response.
    expect(sent).toEqual(
      [/x-trace: 1/i, /of the subscriber$/, /of the subscriber\r\n$/, /x-late: 1/i, /415/].map((one) =>
        expect.stringMatching(one),
      ),
    )
  })

  test('may read the body beside the app', async () => {
    const bodies: string[] = []
    onStart(({ request }) => {
      request.on('data', (bytes) => bodies.push(String(bytes)))
    })
    const [node, engine] = await both(post('/1', 'a', TEXT, CLOSE))
    expect([bodies, engine]).toEqual([['a', 'a'], node])
  })

  test('that throws does not keep the request from its handler', async () => {
    const uncaught: unknown[] = []
    const note = (error: unknown): void => void uncaught.push(error)
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', note)
    onTestFinished(() => {
      process.off('uncaughtException', note)
      for (const other of others) process.on('uncaughtException', other)
    })
    onStart(() => {
      throw new Error('of the subscriber')
    })
    const [node, engine] = await both(post('/1', 'a', TEXT, CLOSE))
    expect(engine).toBe(node)
    expect(uncaught).toHaveLength(2)
  })
})
