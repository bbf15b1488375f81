// Frames that break the rules of HTTP/2 (RFC 9113), and floods of them: the session ends with the error that the RFC
// names, or the stream does, and other clients are served as before.
import { describe, expect } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import {
  ACK,
  CODE,
  END_HEADERS,
  END_STREAM,
  field,
  frame,
  get,
  GET_ROOT,
  openFrames,
  PADDED,
  PREFACE,
  TYPE,
  uint32,
} from '../harness/http2-frames.ts'
import { sendHttp2 } from '../harness/send.ts'
import { createGate } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'
import { collectUnhandled } from '../harness/unhandled.ts'

const { data, headers, rstStream, settings, pushPromise, ping, windowUpdate, continuation } = TYPE
const FIRST = Buffer.concat([Buffer.from(PREFACE), frame(settings, 0, 0)])
const setting = (id: number, value: number): Buffer => Buffer.concat([Buffer.from([0, id]), uint32(value)])
const withField = (...fields: readonly Buffer[]): Buffer =>
  frame(headers, END_HEADERS | END_STREAM, 1, Buffer.concat([GET_ROOT, ...fields]))
const MAX_WINDOW = 2 ** 31 - 1
/** The type of the frames of RFC 7540 section 6.3, which RFC 9113 has given up. */
const PRIORITY = 2

/** Rules whose breach ends the connection, with the bytes behind the preface and the codes that the RFC allows. */
const CONNECTION_ERRORS: Readonly<Record<string, readonly [bytes: Buffer, ...codes: readonly number[]]>> = {
  'a frame larger than allowed (4.2)': [
    Buffer.concat([get(1), frame(data, 0, 1, Buffer.alloc(16_385))]),
    CODE.frameSize,
  ],
  'HEADERS on stream 0 (6.2)': [frame(headers, END_HEADERS, 0, GET_ROOT), CODE.protocol],
  'DATA on stream 0 (6.1)': [frame(data, 0, 0, Buffer.from('x')), CODE.protocol],
  'a stream with an even number (5.1.1)': [get(2), CODE.protocol],
  'DATA on a stream that was never opened (5.1)': [frame(data, 0, 1, Buffer.from('x')), CODE.protocol],
  'RST_STREAM of a stream that was never opened (6.4)': [frame(rstStream, 0, 1, uint32(8)), CODE.protocol],
  'WINDOW_UPDATE of a stream that was never opened (5.1)': [
    frame(windowUpdate, 0, 1, uint32(1)),
    CODE.protocol,
  ],
  'CONTINUATION without a head (6.10)': [frame(continuation, END_HEADERS, 1, GET_ROOT), CODE.protocol],
  'another frame within a head (4.3)': [
    Buffer.concat([frame(headers, 0, 1, GET_ROOT), frame(ping, 0, 0, Buffer.alloc(8))]),
    CODE.protocol,
  ],
  'PUSH_PROMISE of a client (8.4)': [
    frame(pushPromise, END_HEADERS, 1, Buffer.concat([uint32(2), GET_ROOT])),
    CODE.protocol,
  ],
  'padding longer than its frame (6.2)': [
    frame(headers, END_HEADERS | PADDED, 1, Buffer.concat([Buffer.from([200]), GET_ROOT])),
    CODE.protocol,
  ],
  'a head that cannot be decompressed (4.3)': [
    frame(headers, END_HEADERS | END_STREAM, 1, Buffer.from([0xff, 0xff, 0xff, 0x7f])),
    CODE.compression,
  ],
  'a connection window larger than 2^31-1 (6.9.1)': [
    frame(windowUpdate, 0, 0, uint32(MAX_WINDOW)),
    CODE.flowControl,
  ],
  // A stream error would do; Node ends the connection.
  'a stream window larger than 2^31-1 (6.9.1)': [
    Buffer.concat([frame(headers, END_HEADERS, 1, GET_ROOT), frame(windowUpdate, 0, 1, uint32(MAX_WINDOW))]),
    CODE.flowControl,
  ],
  'a connection window that grows by nothing (6.9)': [frame(windowUpdate, 0, 0, uint32(0)), CODE.protocol],
  'SETTINGS of an odd length (6.5)': [frame(settings, 0, 0, Buffer.alloc(5)), CODE.frameSize],
  'SETTINGS on a stream (6.5)': [frame(settings, 0, 1), CODE.protocol],
  'an acknowledgement of SETTINGS with settings (6.5)': [
    frame(settings, ACK, 0, setting(3, 1)),
    CODE.frameSize,
  ],
  'an initial window larger than 2^31-1 (6.5.2)': [
    frame(settings, 0, 0, setting(4, MAX_WINDOW + 1)),
    CODE.flowControl,
  ],
  'a largest frame that is too small (6.5.2)': [frame(settings, 0, 0, setting(5, 1)), CODE.protocol],
  'ENABLE_PUSH that is neither 0 nor 1 (6.5.2)': [frame(settings, 0, 0, setting(2, 2)), CODE.protocol],
  'PING of another length than 8 (6.7)': [frame(ping, 0, 0, Buffer.alloc(7)), CODE.frameSize],
  'PING on a stream (6.7)': [frame(ping, 0, 1, Buffer.alloc(8)), CODE.protocol],
  'RST_STREAM of another length than 4 (6.4)': [
    Buffer.concat([get(1), frame(rstStream, 0, 1, Buffer.alloc(3))]),
    CODE.frameSize,
  ],
}

/** Rules whose breach ends the stream alone: it is reset, or gets a 400 (8.1.1). */
const STREAM_ERRORS: Readonly<Record<string, readonly [bytes: Buffer, code: number]>> = {
  'a field name in upper case (8.2.1)': [withField(field('X-Upper', '1')), CODE.protocol],
  'a field that belongs to a connection (8.2.2)': [withField(field('connection', 'close')), CODE.protocol],
  'te that is not trailers (8.2.2)': [withField(field('te', 'gzip')), CODE.protocol],
  'a pseudo-header behind a field (8.3)': [withField(field('x-a', '1'), field(':path', '/b')), CODE.protocol],
  'a pseudo-header that nothing defines (8.3)': [withField(field(':own', '1')), CODE.protocol],
  'two paths (8.3.1)': [withField(field(':path', '/b')), CODE.protocol],
  'no path (8.3.1)': [
    frame(headers, END_HEADERS | END_STREAM, 1, Buffer.from([0x82, 0x86, 0x41, 0x01, 0x78])),
    CODE.protocol,
  ],
}

/** What has no end: each is sent until the server closes the connection, with a bound. */
const FLOODS: Readonly<Record<string, (round: number) => Buffer>> = {
  'heads that go on and on (CONTINUATION)': (round) =>
    round === 0
      ? frame(headers, 0, 1, GET_ROOT)
      : Buffer.concat(
          Array.from({ length: 50 }, () => frame(continuation, 0, 1, field('x-long', 'a'.repeat(120)))),
        ),
  'empty heads that go on and on (CONTINUATION)': (round) =>
    round === 0
      ? frame(headers, 0, 1, GET_ROOT)
      : Buffer.concat(Array.from({ length: 50 }, () => frame(continuation, 0, 1))),
  'streams that are opened and reset (RST_STREAM)': (round) =>
    Buffer.concat(
      Array.from({ length: 50 }, (_, index) => {
        const stream = 1 + 2 * (round * 50 + index)
        return Buffer.concat([get(stream), frame(rstStream, 0, stream, uint32(8))])
      }),
    ),
  'resets of bad requests that are not read (CVE-2019-9514)': (round) =>
    Buffer.concat(
      Array.from({ length: 500 }, (_, index) => {
        const bad = Buffer.concat([GET_ROOT, field('X-Upper', '1')])
        return frame(headers, END_HEADERS | END_STREAM, 1 + 2 * (round * 500 + index), bad)
      }),
    ),
  'settings whose acknowledgements are not read': () =>
    Buffer.concat(Array.from({ length: 500 }, () => frame(settings, 0, 0, setting(3, 100)))),
  'pings whose acknowledgements are not read': () =>
    Buffer.concat(Array.from({ length: 500 }, () => frame(ping, 0, 0, Buffer.alloc(8)))),
}
const ROUNDS = 4000

describe('listen: frames of HTTP/2 that break its rules', () => {
  const createApp = useApps({
    http2: true,
    closeGraceMs: 100,
    headersTimeout: 1000,
    http2SessionTimeout: 1000,
  })
  const test = ours('Node reads the frames of all; these are cases of ours')
  const uncaught = collectUnhandled()

  function createServed(options: Record<string, unknown> = {}): { app: App; handled: () => number } {
    let count = 0
    const app = createApp(options)
    app.get('/', () => {
      count++
      return 'served'
    })
    return { app, handled: () => count }
  }

  async function expectOthersServed(app: App): Promise<void> {
    expect((await sendHttp2(app, { path: '/' })).text).toBe('served')
    expect(uncaught.splice(0)).toEqual([])
  }

  for (const [name, [bytes, ...codes]] of Object.entries(CONNECTION_ERRORS)) {
    test(`the connection ends: ${name}`, async () => {
      const { app } = createServed()
      const client = await openFrames(app, Buffer.concat([FIRST, bytes]))
      const last = await client.waitFor(({ type }) => type === TYPE.goAway)
      // Where Node ends the session itself, it calls every reason an internal error.
      expect([...codes, CODE.internal]).toContain(last?.payload.readUInt32BE(4))
      await client.closed
      await expectOthersServed(app)
    })
  }

  for (const [name, [bytes, code]] of Object.entries(STREAM_ERRORS)) {
    test(`the stream ends, and no other: ${name}`, async () => {
      const { app, handled } = createServed()
      const client = await openFrames(app, Buffer.concat([FIRST, bytes]))
      const end = await client.waitFor(({ type, stream }) => stream === 1 && type === rstStream)
      expect(end?.payload.readUInt32BE()).toBe(code)
      const before = handled()
      client.socket.write(get(3))
      const response = await client.waitFor(({ type, stream }) => stream === 3 && type === data)
      expect([response?.payload.toString(), handled() - before]).toEqual(['served', 1])
      client.socket.destroy()
      await expectOthersServed(app)
    })
  }

  test('a value with a line break reaches no handler (8.2.1)', async () => {
    const app = createApp()
    app.get('/', (request) => ({ names: Object.keys(request.headers) }))
    const bytes = withField(field('x-broken', '1\r\nx-own: y'), field('x-whole', '1'))
    const client = await openFrames(app, Buffer.concat([FIRST, bytes]))
    const end = await client.waitFor(
      ({ type, stream }) => stream === 1 && (type === data || type === rstStream),
    )
    expect(end?.payload.toString()).not.toMatch(/x-broken|x-own/)
    client.socket.destroy()
  })

  test('a stream with a lower number than the last is not handled (5.1.1)', async () => {
    const { app, handled } = createServed()
    const client = await openFrames(app, Buffer.concat([FIRST, get(5), get(3), get(7)]))
    await client.waitFor(({ type, stream }) => stream === 7 && type === data)
    expect(handled()).toBe(2)
    client.socket.destroy()
  })

  for (const [name, first] of Object.entries({
    'another preface': Buffer.from('PRI * HTTP/3.0\r\n\r\nSM\r\n\r\n'),
    'bytes of another protocol': Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0]), Buffer.alloc(64)]),
    'a first frame that is not SETTINGS (3.4)': Buffer.concat([Buffer.from(PREFACE), get(1)]),
  })) {
    test(`the connection ends, and nothing is handled: ${name}`, async () => {
      const { app, handled } = createServed()
      const client = await openFrames(app, first)
      await client.closed
      expect(handled()).toBe(0)
      await expectOthersServed(app)
    })
  }

  for (const [name, make] of Object.entries(FLOODS)) {
    test(`a flood ends with its connection: ${name}`, async () => {
      const { app } = createServed()
      const client = await openFrames(app)
      if (name.includes('not read')) client.socket.pause()
      let isClosed = false
      void client.closed.then(() => {
        isClosed = true
      })
      for (let round = 0; round < ROUNDS && !isClosed; round++) {
        if (!client.socket.write(make(round))) await new Promise((resolve) => setImmediate(resolve))
        if (round % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      client.socket.resume()
      await client.closed
      await expectOthersServed(app)
    })
  }

  test('CVE-2019-9516: fields without a name reach no handler, and are kept by nobody', async () => {
    const app = createApp()
    let names: string[] = []
    app.get('/', (request) => {
      names = [...names, ...Object.keys(request.headers)]
      return 'served'
    })
    const client = await openFrames(app)
    for (let stream = 1; stream < 100; stream += 2) {
      const nameless = Array.from({ length: 100 }, () => field('', ''))
      client.socket.write(
        frame(headers, END_HEADERS | END_STREAM, stream, Buffer.concat([GET_ROOT, ...nameless])),
      )
    }
    client.socket.write(get(1001))
    await client.waitFor(({ type, stream }) => type === TYPE.goAway || (stream === 1001 && type === data))
    client.socket.destroy()
    expect(names).not.toContain('')
    await expectOthersServed(app)
  })

  test('CVE-2024-27983: a connection that is cut within a head takes nothing with it', async () => {
    const { app, handled } = createServed()
    for (let round = 0; round < 50; round++) {
      const client = await openFrames(app)
      const parts = Array.from({ length: round }, () => frame(continuation, 0, 1, field('x-long', 'a')))
      client.socket.write(Buffer.concat([frame(headers, 0, 1, GET_ROOT), ...parts]))
      if (round % 2 === 0) client.socket.resetAndDestroy()
      else client.socket.end()
      await client.closed
    }
    expect(handled()).toBe(0)
    await expectOthersServed(app)
  })

  test('CVE-2019-9513: streams that change their places without end keep nobody else waiting', async () => {
    const { app } = createServed()
    const client = await openFrames(app)
    const weight = Buffer.from([16])
    for (let round = 0; round < 200; round++) {
      const moves = Array.from({ length: 100 }, (_, index) =>
        frame(
          PRIORITY,
          0,
          1 + 2 * index,
          Buffer.concat([uint32(1 + 2 * ((index + round) % 100) + 2), weight]),
        ),
      )
      client.socket.write(Buffer.concat(moves))
    }
    await expectOthersServed(app)
    client.socket.write(get(1001))
    await client.waitFor(({ type, stream }) => type === TYPE.goAway || (stream === 1001 && type === data))
    client.socket.destroy()
    await expectOthersServed(app)
  })

  test('half a head beside an open stream ends with headersTimeout, and other sessions go on', async () => {
    // A busy machine must not keep a client that is well from acknowledging.
    const app = createApp({ headersTimeout: 3000, http2SessionTimeout: 30_000 })
    const { promise, open: finish } = createGate()
    app.get('/', async () => {
      await promise
      return 'late'
    })
    const steady = sendHttp2(app, { path: '/' })
    const client = await openFrames(app)
    client.socket.write(Buffer.concat([get(1), frame(headers, END_STREAM, 3, GET_ROOT)]))
    await client.closed
    finish()
    expect((await steady).text).toBe('late')
  })
})
