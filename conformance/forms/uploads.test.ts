// Uploads that stream: the client waits for the reader, and what ends early releases everything.
import type { ClientRequest } from 'node:http'
import * as http2 from 'node:http2'
import type { Duplex } from 'node:stream'
import type { App, Handler } from '../harness/app-shape.ts'
import { listenOnce, openRequest } from '../harness/send.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'
import type { TransportName } from '../harness/transports.ts'
import { BOUNDARY, FORM_TYPE } from './form-body.ts'

const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="video"; filename="v"\r\n\r\n`
const PIECE = Buffer.alloc(65_536, 'v')

interface Video {
  stream(): ReadableStream<Uint8Array>
}

/** An upload that goes on for as long as the app reads it. */
interface Upload {
  /** how many bytes have been taken */
  sent(): number
  /** Goes away. */
  leave(): void
}

/** Writes pieces for as long as they are taken at once, and goes on when there is room. */
function pour(stream: Duplex | ClientRequest): Upload {
  let sent = 0
  const write = (): void => {
    for (let isTaken = true; stream.writable && isTaken; sent += PIECE.length) isTaken = stream.write(PIECE)
  }
  stream.on('error', () => {})
  stream.on('drain', write)
  stream.write(HEAD)
  write()
  return { sent: () => sent, leave: () => void stream.destroy() }
}

async function upload(transport: TransportName, app: App): Promise<Upload> {
  const headers = { 'content-type': FORM_TYPE }
  if (transport === 'fetch') {
    let sent = -1
    let broken: (error: Error) => void = () => {}
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          broken = (error) => controller.error(error)
        },
        pull: (controller) => {
          controller.enqueue(sent === -1 ? Buffer.from(HEAD) : PIECE)
          sent = sent === -1 ? 0 : sent + PIECE.length
        },
      },
      { highWaterMark: 0 },
    )
    const request = new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' })
    app.fetch(request).catch(() => {})
    return { sent: () => sent, leave: () => broken(new Error('gone')) }
  }
  if (transport === 'http2') {
    const { port } = await listenOnce(app)
    const session = http2.connect(`http://127.0.0.1:${port}`)
    session.on('error', () => {})
    const poured = pour(session.request({ ':method': 'POST', ':path': '/', ...headers }))
    return { ...poured, leave: () => session.destroy() }
  }
  return pour(await openRequest(app, { method: 'POST', headers }))
}

describeTransports(
  'forms that stream',
  ({ transport, createApp, ours, expect }) => {
    const test = ours('fastify needs a plugin for forms')
    const video = { type: 'string', format: 'binary', maxLength: 2 ** 40 }
    const schema = { type: 'object', required: ['video'], properties: { video } }
    const videoApp = (handler: Handler): App => {
      const app = createApp()
      return app.post('/', { schema: { body: { content: { 'multipart/form-data': { schema } } } } }, handler)
    }
    const videoOf = ({ body }: { readonly body: unknown }): Video => Object(body).video

    test('reads nothing more while the handler does not read', async () => {
      const begun = createGate()
      const going = createGate()
      let read = 0
      const app = videoApp(async (request) => {
        const reader = videoOf(request).stream().getReader()
        begun.open()
        await going.promise
        while (read < 20_000_000) {
          const { value } = await reader.read()
          if (value === undefined) break
          read += value.length
        }
        return {}
      })
      const { sent, leave } = await upload(transport, app)
      await begun.promise
      // Buffers of the system take what they take; it ends when nothing has been taken during many turns.
      for (let before = -1; before !== sent();) {
        before = sent()
        for (let turn = 0; turn < 200; turn++) await tick()
      }
      expect([read, sent() < 16_000_000]).toEqual([0, true])
      going.open()
      while (read < 20_000_000) await tick()
      expect(sent()).toBeGreaterThan(16_000_000)
      leave()
    })

    test('fails the stream of a client that goes, and the handler may end', async () => {
      const begun = createGate()
      const ended = createGate()
      let thrown: unknown
      const app = videoApp(async (request) => {
        try {
          for await (const chunk of videoOf(request).stream()) if (chunk.length > 0) begun.open()
        } catch (error) {
          thrown = error
          throw error
        } finally {
          ended.open()
        }
      })
      const { leave } = await upload(transport, app)
      await begun.promise
      leave()
      await ended.promise
      expect(thrown).toMatchObject({ code: 'CLO_ERR_CTP_BODY_ABORTED' })
    })
  },
  ['socket', 'http2', 'fetch'],
)
