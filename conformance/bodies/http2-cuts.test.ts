// Bodies of HTTP/2 within which a client leaves: Node ends them, so a reader could take what came as the whole body.
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:http2'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { listenOnce } from '../harness/send.ts'
import { useApps } from '../harness/transports.ts'

const READERS: Readonly<Record<string, (body: Readable) => Promise<string>>> = {
  'by its events': (body) =>
    new Promise((resolve, reject) => {
      let all = ''
      body.on('data', (chunk) => (all += String(chunk)))
      body.once('end', () => resolve(all))
      body.once('error', reject)
    }),
  'by iteration': text,
  'through another stream': (body) => text(pipeline(body, new PassThrough(), () => {})),
}

/** The code of a listener's error, and that of Node's functions, which listen for `aborted` too. */
const CUT = /^(?:ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/

describe.each(Object.entries(READERS))('a body of HTTP/2, read %s', (_way, read) => {
  const createApp = useApps({ http2: true })

  it.each(['parser', 'handler'])('fails in the %s if its client leaves within it', async (place) => {
    const app = createApp()
    const steps = new EventEmitter()
    const start = (body: unknown): void => {
      const result = read(body as Readable).catch((error: unknown) => error)
      steps.emit('begun', { result })
    }
    app.addContentTypeParser('x/stream', (_request, payload, done) => {
      if (place === 'parser') start(payload)
      else done(null, payload)
    })
    app.post('/', ({ body }, reply) => {
      start(body)
      void reply.hijack()
    })
    const begun = once(steps, 'begun')
    const session = connect(`http://127.0.0.1:${(await listenOnce(app)).port}`)
    session.on('error', () => {})
    const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'x/stream' })
    stream.on('error', () => {})
    stream.write('abc')
    const [{ result }] = await begun
    session.destroy()
    expect(await result).toMatchObject({ code: expect.stringMatching(CUT) })
  })
})
