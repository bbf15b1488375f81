// Large contents over HTTP/2: beside one that its client does not read, and after it was cancelled, others are served.
import { once } from 'node:events'
import * as http2 from 'node:http2'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { useApps } from '../harness/transports.ts'

const SIZE = 24 << 20
const createApp = useApps()

async function* chunksOf(...chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

/** A content of SIZE bytes that comes at once. */
const CONTENTS: Record<string, (large: Buffer) => unknown> = {
  'a buffer': (large) => large,
  'a text': (large) => large.toString('latin1'),
  'one chunk of a stream': (large) => Readable.from([large]),
  'a chunk of a stream between small ones': (large) =>
    Readable.from([large.subarray(0, 3), large.subarray(6), large.subarray(3, 6)]),
  'chunks of a generator': (large) => Readable.from(chunksOf(large.subarray(0, 9), large.subarray(9))),
  'one chunk of a web stream': (large) =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(large)
        controller.close()
      },
    }),
}

describe.each(Object.entries(CONTENTS))('%s of 24 MB over HTTP/2', (_name, contentOf) => {
  async function open(reply?: (reply: Reply) => void): Promise<http2.ClientHttp2Session> {
    const app = createApp({ http2: true, closeGraceMs: 500 })
    const large = Buffer.alloc(SIZE, 'abcdefg')
    app.get('/large', (_request, given) => {
      reply?.(given)
      given.type('application/octet-stream').send(contentOf(large))
    })
    app.get('/small', () => 'small')
    const session = http2.connect(String(await app.listen({ port: 0 })))
    session.on('error', () => {})
    return session
  }

  async function statusOf(session: http2.ClientHttp2Session): Promise<unknown> {
    const stream = session.request({ ':path': '/small' })
    const [head] = await once(stream, 'response')
    stream.resume()
    return Object(head)[':status']
  }

  it('leaves the session to others while it is not read, and after it was cancelled', async () => {
    const session = await open()
    const large = session.request({ ':path': '/large' })
    await once(large, 'response')
    expect(await statusOf(session)).toBe(200)
    large.close(http2.constants.NGHTTP2_CANCEL)
    for (let n = 0; n < 3; n++) expect(await statusOf(session)).toBe(200)
    session.destroy()
  })

  it('arrives whole, with its trailers', async () => {
    const session = await open((reply) => void reply.trailer('x-end', async () => 'reached'))
    const stream = session.request({ ':path': '/large' })
    let trailers: unknown
    stream.on('trailers', (given) => {
      trailers = given
    })
    const chunks: Buffer[] = await stream.toArray()
    const whole = Buffer.concat(chunks)
    expect(whole.length).toBe(SIZE)
    expect(trailers).toMatchObject({ 'x-end': 'reached' })
    session.destroy()
  })
})

it('a head that is too large for HTTP/2 is logged, and the app closes', async () => {
  const { stream, lines } = createLogSink()
  const app = createApp({ http2: true, logger: { level: 'warn', stream } })
  app.get('/head', (_request, reply) => reply.header('x-large', 'a'.repeat(70_000)).send('ok'))
  const session = http2.connect(String(await app.listen({ port: 0 })))
  session.on('error', () => {})
  const asked = session.request({ ':path': '/head?a=1' }).on('error', () => {})
  await new Promise((resolve) => asked.once('close', resolve))
  expect(lines).toMatchObject([
    {
      level: 50,
      msg: expect.stringMatching(
        /^the headers of the response to GET \/head\?a=1 are larger than HTTP\/2 allows/,
      ),
    },
  ])
  await app.close()
  session.destroy()
})
