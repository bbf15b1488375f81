import { setTimeout as sleep } from 'node:timers/promises'
import { bunWebSocket, websocket } from '@cloister/websocket'
import { cloister } from 'cloister'
import { toFetch } from 'cloister/fetch'
import { afterEach, describe, expect, it, vi } from 'vitest'

/*
 * WebSocket routes over `app.fetch`, on a server like that of Bun: sockets in memory. Those of workers and Deno are
 * events of the same class; conformance/packaging tries them on their platforms.
 */

/** One socket, as the server and as its client see it. */
class MemorySocket {
  readonly data: unknown
  readonly headers: Headers
  readonly got: string[] = []
  readonly closed: Promise<string>
  buffered = 0
  #close: (end: string) => void = () => {}
  #isOpen = true

  constructor(headers: Headers, data: unknown) {
    this.headers = headers
    this.data = data
    this.closed = new Promise((resolve) => {
      this.#close = resolve
    })
  }

  getBufferedAmount(): number {
    return this.buffered
  }

  send(text: string): number {
    if (!this.#isOpen) return 0
    this.got.push(text)
    return text.length
  }

  close(code: number = 1005, reason: string = ''): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#close(`${code} ${reason}`.trim())
    queueMicrotask(() => bunWebSocket.close(this, code, reason))
  }

  /** Sends a message of the client. */
  say(message: unknown): void {
    if (this.#isOpen) bunWebSocket.message(this, message)
  }
}

class MemoryServer {
  readonly sockets: MemorySocket[] = []

  upgrade(_request: Request, { headers, data }: { headers: Headers; data: unknown }): boolean {
    const socket = new MemorySocket(headers, data)
    this.sockets.push(socket)
    queueMicrotask(() => bunWebSocket.open(socket))
    return true
  }
}

const HANDSHAKE = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const TEXT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const

const apps: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

async function create(options: { handlerTimeout?: number } = {}) {
  const app = await cloister(options).register(websocket)
  apps.push(app)
  const server = new MemoryServer()
  const fetch = toFetch(app, (_request, own: object | null) => ({ server: own }))
  const ask = (path: string, headers: Record<string, string> = {}, own: object | null = server) =>
    fetch(new Request(`http://localhost${path}`, { headers: { ...HANDSHAKE, ...headers } }), own)
  const open = async (path: string, headers: Record<string, string> = {}): Promise<MemorySocket> => {
    await ask(path, headers)
    const socket = server.sockets.at(-1)
    if (socket === undefined) throw new Error('no socket was opened')
    return socket
  }
  return { app, ask, open }
}

describe('a WebSocket over fetch', () => {
  it('has messages that are parsed, validated and filtered', async () => {
    const { app, open } = await create()
    app.ws('/echo/:room', { schema: { incoming: TEXT, outgoing: TEXT } }, async (socket, request) => {
      for await (const { text } of socket) {
        const message = { text: `${request.params.room}: ${text}`, secret: 'not declared' }
        await socket.send(message)
      }
    })
    const client = await open('/echo/blue')
    client.say('{"text":"one"}')
    client.say('{"text":"two"}')
    await expect.poll(() => client.got).toEqual(['{"text":"blue: one"}', '{"text":"blue: two"}'])
  })

  it.each([
    ['that do not fit the schema', ['{"text":"good"}', '{"text":5}'], '1008 message 2: /text must be string'],
    ['that are no JSON', ['{'], '1007 message 1: is no JSON'],
    ['that are binary', [new Uint8Array(2)], '1003 message 1: is binary; messages are JSON, as text'],
    ['that are too large in bytes', [`{"text":"${'é'.repeat(60)}"}`], '1009'],
  ])('is closed as on Node by messages %s', async (_what, messages, end) => {
    const { app, open } = await create()
    app.ws('/', { maxPayload: 100, schema: { incoming: TEXT } }, async (socket) => {
      for await (const _ of socket);
    })
    const client = await open('/')
    for (const message of messages) client.say(message)
    expect(await client.closed).toBe(end)
  })

  it('outlasts the deadline of its handler', async () => {
    const { app, open } = await create({ handlerTimeout: 20 })
    app.ws('/', async (socket, { signal }) => {
      for await (const message of socket) await socket.send([message, signal.aborted])
    })
    const client = await open('/')
    await sleep(100)
    client.say('"still"')
    await expect.poll(() => client.got).toEqual(['["still",false]'])
  })

  it('keeps messages in order for a slow handler, and is closed by more bytes than maxBuffered', async () => {
    const { app, open } = await create()
    const seen: unknown[] = []
    let go = (): void => {}
    const asked = new Promise<void>((resolve) => {
      go = resolve
    })
    app.ws('/', { maxQueued: 2, maxBuffered: 100 }, async (socket) => {
      await asked
      for await (const message of socket) seen.push(message)
    })
    const client = await open('/')
    for (let index = 0; index < 6; index++) client.say(String(index))
    go()
    await expect.poll(() => seen).toEqual([0, 1, 2, 3, 4, 5])
    const other = await open('/')
    other.say(`"${'x'.repeat(90)}"`)
    await expect.poll(() => seen.length).toBe(7)
  })

  it('is closed by a client that sends on while the handler does not read', async () => {
    const { app, open } = await create()
    app.ws('/', { maxQueued: 1, maxBuffered: 100 }, (socket) => socket.closed.then(() => {}))
    const client = await open('/')
    for (let index = 0; index < 4; index++) client.say(`"${'x'.repeat(40)}"`)
    expect(await client.closed).toBe('1008 too much waits for the handler (maxBuffered)')
  })

  it('takes no message after the one that closes it, although its client sends on', async () => {
    const { app, open } = await create()
    const seen: unknown[] = []
    app.ws('/', { maxPayload: 10 }, async (socket) => {
      for await (const message of socket) seen.push(message)
      seen.push('end')
    })
    const client = await open('/')
    client.say('1')
    client.say(`"${'x'.repeat(20)}"`)
    // Workers deliver what comes until the client has closed its end.
    bunWebSocket.message(client, '2')
    expect(await client.closed).toBe('1009')
    await expect.poll(() => seen).toEqual([1, 'end'])
  })

  it('is opened with the headers of the reply and a protocol that both know', async () => {
    const { app, open } = await create()
    app.addHook('onRequest', async (_request, reply) => void reply.header('x-session', 'a'))
    app.ws('/', { protocols: ['chat'] }, async (socket) => socket.send(socket.protocol))
    const client = await open('/', { 'sec-websocket-protocol': 'other, chat' })
    expect([client.headers.get('x-session'), client.headers.get('sec-websocket-protocol')]).toEqual([
      'a',
      'chat',
    ])
    expect(await client.closed).toBe('1000')
    expect(client.got).toEqual(['"chat"'])
  })

  it('is opened without a protocol if the route knows none that the client offers: Bun itself would accept the first', async () => {
    const { app, open } = await create()
    app.ws('/', { protocols: ['chat'] }, async (socket) => socket.send(socket.protocol))
    const client = await open('/', { 'sec-websocket-protocol': 'other' })
    expect(client.headers.get('sec-websocket-protocol')).toBe('')
    expect(await client.closed).toBe('1000')
    expect(client.got).toEqual(['""'])
  })

  it('ends with 1006 on Deno if its connection fails, which Deno reports as 0', async () => {
    const socket = Object.assign(new EventTarget(), { send() {}, close() {} })
    vi.stubGlobal('Deno', { upgradeWebSocket: () => ({ socket, response: new Response(null) }) })
    try {
      const { app, ask } = await create()
      const ends: unknown[] = []
      app.ws('/', async ({ closed }) => void ends.push(await closed))
      await ask('/')
      socket.dispatchEvent(Object.assign(new Event('close'), { code: 0, reason: '' }))
      await expect.poll(() => ends).toEqual([{ code: 1006, reason: '' }])
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('is refused as on Node, by a hook, by its origin, and without a handshake', async () => {
    const { app, ask } = await create()
    app.ws('/', async () => {})
    app.ws('/private', { onRequest: async (_request, reply) => reply.code(401).send() }, async () => {})
    const statuses = [
      await ask('/private'),
      await ask('/', { origin: 'https://evil.example' }),
      await ask('/', { upgrade: 'h2c' }),
      await ask('/', { 'sec-websocket-key': 'short' }),
      await ask('/', {}, null),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 403, 426, 400, 501])
  })

  it('is closed with 1001 when the app closes, after which the request is over', async () => {
    const { app, open } = await create()
    const ended: string[] = []
    app.addHook('onResponse', async () => void ended.push('onResponse'))
    app.ws('/', async (socket) => {
      await socket.closed
      ended.push('handler')
    })
    const client = await open('/')
    await app.close()
    expect(await client.closed).toBe('1001 the server is closing')
    expect(ended).toContain('handler')
  })
})
