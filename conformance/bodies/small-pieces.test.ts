// A request takes the memory of its bytes, however small the pieces are in which they arrive.
import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { cloister } from 'cloister'
import type { App } from '../harness/app-shape.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { useApps } from '../harness/transports.ts'

const SIZE = 131_072
const MAX_MORE = 2_000_000

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** The memory that is in use. */
function measure(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const FORM = 'multipart/form-data; boundary=B'
const partOf = (name: string, more = ''): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`

/** Where a body goes, with the bytes that begin it and those that end it. */
const PLACES: readonly (readonly [path: string, type: string, begin: string, end: string])[] = [
  ['/json', 'application/json', '"', '"'],
  ['/text', 'text/plain', '', ''],
  ['/raw', 'text/plain', '', ''],
  ['/lines', 'application/x-ndjson', '"', '"'],
  ['/form', FORM, partOf('file', '; filename="a"'), '\r\n--B--'],
  ['/form', FORM, partOf('text'), '\r\n--B--'],
  ['/mount', 'text/plain', '', ''],
]

function define(app: App): void {
  const ofLines = {
    schema: { body: { content: { 'application/x-ndjson': { schema: { type: 'string' } } } } },
  }
  const properties = { text: { type: 'string' }, file: { type: 'string', format: 'binary' } }
  const ofForm = {
    schema: { body: { content: { 'multipart/form-data': { schema: { type: 'object', properties } } } } },
  }
  app.post('/json', async ({ body }) => ({ length: String(body).length }))
  app.post('/text', async ({ body }) => ({ length: String(body).length }))
  app.post('/raw', { rawBody: true }, async ({ body }) => ({ length: String(body).length }))
  app.post('/lines', ofLines, async ({ body }) => {
    let length = 0
    for await (const line of Object(body)) length += String(line).length
    return { length }
  })
  app.post('/form', ofForm, async ({ body }) => {
    const { text, file } = Object(body)
    return { length: text?.length ?? file.size }
  })
  const { mount } = Object(app)
  const listener = async (request: Request) => Response.json({ length: (await request.text()).length })
  mount.call(app, '/mount', listener)
}

/** Sends the content a byte per chunk, all but the end of the body, and returns the memory that it takes. */
async function sendBytes(
  app: App,
  [path, type, begin, end]: (typeof PLACES)[number],
): Promise<[number, string]> {
  const socket = await openSocket(app)
  let received = ''
  socket.on('data', (bytes) => (received += bytes.toString('latin1')))
  const chunk = (text: string): string => (text === '' ? '' : `${text.length.toString(16)}\r\n${text}\r\n`)
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const before = measure()
  socket.write(head + chunk(begin))
  const many = Buffer.from('1\r\nx\r\n'.repeat(8192))
  for (let sent = 0; sent < SIZE; sent += 8192) if (!socket.write(many)) await once(socket, 'drain')
  await sleep(200)
  const used = measure() - before
  socket.write(`${chunk(end)}0\r\n\r\n`)
  await once(socket, 'close')
  return [used, received.slice(received.indexOf('\r\n\r\n') + 4)]
}

for (const transport of ['auto', 'node']) {
  describe(`a body of 1-byte chunks (transport: '${transport}')`, () => {
    const createApp = useApps({ transport, bodyLimit: 1_048_576 })

    it.each(PLACES)('takes the memory of its bytes at %s (%s, %s)', async (...place) => {
      const app = createApp()
      define(app)
      await sendBytes(app, place)
      const [used, response] = await sendBytes(app, place)
      expect(response).toContain(`{"length":${SIZE}}`)
      expect(used).toBeLessThan(SIZE * 2 + MAX_MORE)
    })
  })
}

describe('a body of 1-byte pieces (app.fetch)', () => {
  // A mounted handler gets the body of the caller's own request, unread.
  const places = PLACES.filter(([path]) => path !== '/mount')

  it.each(places)('takes the memory of its bytes at %s (%s, %s)', async (path, type, begin, end) => {
    const app = cloister({ bodyLimit: 1_048_576 })
    define(Object(app))
    const before = measure()
    let finish = (): void => {}
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (begin !== '') controller.enqueue(Buffer.from(begin))
      },
      async pull(controller) {
        if (sent++ < SIZE) controller.enqueue(new Uint8Array([120]))
        else {
          await new Promise<void>((resolve) => (finish = resolve))
          controller.enqueue(Buffer.from(`${end}\r\n`))
          controller.close()
        }
      },
    })
    const init: RequestInit & { readonly duplex: 'half' } = {
      method: 'POST',
      body,
      headers: { 'content-type': type },
      duplex: 'half',
    }
    const response = app.fetch(new Request(`http://x${path}`, init))
    while (sent <= SIZE) await nextTurn()
    await sleep(20)
    const used = measure() - before
    finish()
    const extra = begin === '' ? 2 : 0
    expect(await (await response).json()).toEqual({ length: SIZE + extra })
    expect(used).toBeLessThan(SIZE * 2 + MAX_MORE)
    await app.close()
  })
})
