import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectBody } from '../../src/body/collector.ts'
import { RequestBody } from '../../src/body/request-body.ts'

function createFlow(): { isPaused: boolean; pause(): void; resume(): void } {
  return {
    isPaused: false,
    pause() {
      this.isPaused = true
    },
    resume() {
      this.isPaused = false
    },
  }
}

const errors = {
  tooLarge: () => new Error('too large'),
  aborted: (cause: Error) => new Error(`aborted: ${cause.message}`),
}

const feed = (body: RequestBody, text: string): number => {
  const bytes = Buffer.from(text)
  return body.feed(bytes, 0, bytes.length)
}

async function collect(body: RequestBody, limit: number): Promise<unknown> {
  let content: unknown
  const receiver = {
    receive(received: unknown) {
      content = received
    },
    refuse: (error: unknown) => error,
  }
  await collectBody(body, limit, 'text', receiver, errors)
  return content
}

describe('the body of a request', () => {
  it('ends at its length and does not read what is behind, wherever the bytes are cut', async () => {
    for (let at = 1; at <= 7; at++) {
      const body = new RequestBody(5, createFlow())
      const text = 'helloGE'
      const first = feed(body, text.slice(0, at))
      const taken = first + (body.isComplete ? 0 : feed(body, text.slice(at)))
      expect([taken, body.isComplete, body.kept.take('text')]).toEqual([5, true, 'hello'])
    }
  })

  it('keeps what came before its reader, and joins it with what comes', async () => {
    const body = new RequestBody(12, createFlow())
    feed(body, 'gr')
    feed(body, '\u00fc')
    const read = collect(body, 100)
    feed(body, '\u00dfe aus')
    expect(await Promise.race([read, Promise.resolve('waiting')])).toBe('waiting')
    feed(body, 'X')
    expect(await read).toBe('gr\u00fc\u00dfe ausX')
  })

  it('refuses more bytes than its reader takes', async () => {
    const body = new RequestBody(null, createFlow())
    const read = collect(body, 4)
    feed(body, '3\r\nabc\r\n2\r\nde\r\n')
    await expect(read).rejects.toThrow('too large')
  })

  it('fails its reader when the connection ends', async () => {
    const body = new RequestBody(5, createFlow())
    const read = collect(body, 10)
    feed(body, 'hel')
    body.fail(new Error('gone'))
    await expect(read).rejects.toThrow('aborted: gone')
  })

  it('stops the connection when nobody reads, and starts it again for a reader', async () => {
    const flow = createFlow()
    const body = new RequestBody(200_000, flow)
    feed(body, 'x'.repeat(65_536))
    expect(flow.isPaused).toBe(true)
    void collect(body, 200_000)
    expect(flow.isPaused).toBe(false)
  })

  it('stops the connection while its reader has enough', () => {
    const flow = createFlow()
    const body = new RequestBody(10, flow)
    body.open({ take: () => false, end() {}, fail() {} })
    feed(body, 'abc')
    expect(flow.isPaused).toBe(true)
  })

  it('fails a reader that comes after the client has left', async () => {
    const body = new RequestBody(10, createFlow())
    feed(body, 'abc')
    body.fail(new Error('gone'))
    await expect(collect(body, 10)).rejects.toThrow('aborted: gone')
  })

  it('is read whole after the client has left', async () => {
    const body = new RequestBody(3, createFlow())
    feed(body, 'abc')
    body.fail(new Error('gone'))
    expect(await collect(body, 10)).toBe('abc')
  })

  it('throws away what nobody wants', () => {
    const body = new RequestBody(null, createFlow())
    body.discard()
    feed(body, `40000\r\n${'x'.repeat(262_144)}`)
    expect([body.kept.length, body.isComplete]).toEqual([0, false])
  })

  it('copies small pieces together instead of keeping each', () => {
    const body = new RequestBody(null, createFlow())
    for (let i = 0; i < 1000; i++) feed(body, '1\r\nx\r\n')
    expect(body.kept.take('text')).toBe('x'.repeat(1000))
    expect(Object(body.kept.take('bytes')).buffer.byteLength).toBeLessThan(10_000)
  })
})

describe('small chunks', () => {
  it('reach the reader whole and in order, and as few pieces', () => {
    const sizes = fc.array(
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.integer({ min: 1, max: 9000 })),
      { maxLength: 200 },
    )
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 9000 }), (lengths, cut) => {
        const text = 'abcdefghij'.repeat(10_000)
        let at = 0
        const chunks = lengths.map(
          (length) => `${length.toString(16)}\r\n${text.slice(at, (at += length))}\r\n`,
        )
        const bytes = Buffer.from(`${chunks.join('')}0\r\n\r\n`)
        const body = new RequestBody(null, createFlow())
        let read = ''
        let takes = 0
        body.open({
          take(piece, start, end) {
            read += piece.toString('latin1', start, end)
            takes += 1
            return true
          },
          end: () => {},
          fail: () => {},
        })
        for (let start = 0; start < bytes.length; start += cut) {
          const part = Buffer.from(bytes.subarray(start, start + cut))
          body.feed(part, 0, part.length)
          part.fill(0)
        }
        expect(read).toBe(text.slice(0, at))
        expect(body.isComplete).toBe(true)
        const large = lengths.filter((length) => length > 1000).length
        expect(takes).toBeLessThanOrEqual(Math.ceil(bytes.length / cut) + 3 * large + bytes.length / 4096)
      }),
    )
  })
})
