import { EventEmitter } from 'node:events'
import { Duplex, PassThrough, Readable, Stream, Transform, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { ByteStream, WebStream } from '../../../src/exchange/byte-stream.ts'
import type { Exchange, Outcome, TrailerSource } from '../../../src/exchange/exchange.ts'
import { prematureClose } from '../../../src/exchange/outcome.ts'
import { endWithTrailers, pipeStream } from '../../../src/transport/streams/write-stream.ts'

/** A response, with the exchange that it belongs to. */
class Response extends Writable {
  readonly pieces: string[] = []
  readonly trailers: unknown[] = []
  /** why the content is not whole, and whether some of it was out */
  readonly failures: unknown[] = []
  aborts = 0
  hasEnded = false
  #isCut = false
  #finished: ((outcome: Outcome) => void)[] = []

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.pieces.push(String(chunk))
    done()
  }

  /** As with Node, those that come behind the end are lost. */
  addTrailers(fields: unknown): void {
    if (!this.writableEnded) this.trailers.push(fields)
  }

  /** The exchange is over, for whatever reason. */
  settle(outcome: Outcome): void {
    for (const callback of this.#finished) callback(outcome)
  }

  get exchange(): Exchange {
    const headersSent = (): boolean => this.pieces.length > 0
    const ended = (): boolean => this.hasEnded || this.#isCut
    return Object(
      Object.defineProperties(
        {
          abort: () => {
            this.aborts++
            this.#isCut = true
          },
          onFinished: (callback: (outcome: Outcome) => void) => void this.#finished.push(callback),
        },
        { headersSent: { get: headersSent }, ended: { get: ended } },
      ),
    )
  }

  /** Starts to write a stream. */
  take(source: ByteStream | WebStream, trailers: TrailerSource | null = null): this {
    const failed = (error: Error, hadBegun: boolean): void => void this.failures.push([error, hadBegun])
    pipeStream({ exchange: this.exchange, response: this, source, trailers, observer: { failed } })
    return this
  }
}

/** Lets everything that is under way happen. */
async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

const BYTES = { objectMode: false }

/** A stream with a reader of its own, which is piped as Node does it. */
const watched = <T extends Readable>(stream: T): T => stream.on('data', () => {})

const PIPES: readonly (readonly [string, <T extends Readable>(stream: T) => T])[] = [
  ['a stream', (stream) => stream],
  ['a stream with a reader of its own', watched],
]

describe.each(PIPES)('%s that is sent', (_name, given) => {
  it('is written to its end, and ends the response', async () => {
    const response = new Response().take(given(Readable.from(['a', 'b'], BYTES)))
    await turns()
    expect([response.pieces, response.writableEnded, response.failures]).toEqual([['a', 'b'], true, []])
  })

  it('is followed by its trailers', async () => {
    const response = new Response().take(given(Readable.from(['a'], BYTES)), async () => {
      response.pieces.push('trailers')
      return { 'x-end': '1' }
    })
    await turns()
    expect(response.pieces).toEqual(['a', 'trailers'])
    expect([response.trailers, response.writableEnded]).toEqual([[{ 'x-end': '1' }], true])
  })

  it('leaves the response unwritten when it fails before the first byte', async () => {
    const source = given(new PassThrough())
    const response = new Response().take(source)
    const error = new Error('disk')
    source.destroy(error)
    await turns()
    expect([response.failures, response.aborts]).toEqual([[[error, false]], 0])
    expect([response.writableEnded, response.listenerCount('unpipe')]).toEqual([false, 0])
  })

  it.each([[undefined], [null], [0], ['']])('fails also with %j for an error', async (nothing) => {
    const source = given(new PassThrough({ autoDestroy: false }))
    const response = new Response().take(source)
    source.emit('error', nothing)
    source.end('late')
    await turns()
    expect(response.failures).toEqual([[expect.any(Error), false]])
    expect([response.pieces, response.writableEnded]).toEqual([[], false])
  })

  it('leaves the response unwritten with trailers too', async () => {
    const source = given(new PassThrough({ autoDestroy: false }))
    const response = new Response().take(source, async () => ({}))
    source.emit('error', new Error('disk'))
    source.end('late')
    await turns()
    expect([response.failures, response.aborts]).toEqual([[[new Error('disk'), false]], 0])
    expect([response.pieces, response.writableEnded]).toEqual([[], false])
  })

  it('cuts the connection when it fails later', async () => {
    const source = given(new PassThrough())
    const response = new Response().take(source)
    source.write('a')
    await turns()
    const error = new Error('disk')
    source.destroy(error)
    await turns()
    expect([response.failures, response.aborts, response.writableEnded]).toEqual([[[error, true]], 1, false])
  })

  it('cuts the connection when it fails after the response has ended without it', async () => {
    const source = given(new PassThrough())
    const response = new Response().take(source)
    response.hasEnded = true
    source.destroy(new Error('disk'))
    await turns()
    expect([response.failures, response.aborts]).toEqual([[[new Error('disk'), true]], 1])
  })

  it('cuts the connection when it closes before its end', async () => {
    const source = given(new PassThrough())
    const response = new Response().take(source)
    source.write('a')
    await turns()
    source.destroy()
    await turns()
    const failure = expect.objectContaining({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
    expect([response.failures, response.aborts, response.writableEnded]).toEqual([
      [[failure, true]],
      1,
      false,
    ])
  })

  it('is destroyed when the client goes away', async () => {
    const source = given(new PassThrough())
    const response = new Response().take(source)
    const outcome = prematureClose()
    response.settle(outcome)
    expect([response.failures, source.destroyed]).toEqual([[[outcome, true]], true])
  })

  it('is destroyed when the response is over without it', async () => {
    const source = given(new PassThrough())
    const response = new Response().take(source)
    response.settle(null)
    expect([response.failures, source.destroyed]).toEqual([[], true])
  })

  it('is left alone once it has ended', async () => {
    const source = given(new Duplex({ read() {}, autoDestroy: false, allowHalfOpen: true }))
    const response = new Response().take(source)
    source.push('a')
    source.push(null)
    await turns()
    response.settle(prematureClose())
    expect([response.pieces, response.failures, source.destroyed]).toEqual([['a'], [], false])
  })

  it('is reported once', async () => {
    const source = given(new PassThrough())
    const response = new Response().take(source)
    source.destroy(new Error('disk'))
    await turns()
    response.settle(prematureClose())
    expect(response.failures).toEqual([[new Error('disk'), false]])
  })
})

describe('a stream of the web that is sent', () => {
  it('is written to its end', async () => {
    const response = new Response().take(new Blob(['abc']).stream())
    await turns()
    expect([response.pieces, response.writableEnded]).toEqual([['abc'], true])
  })

  it('is cancelled when the client goes away', async () => {
    let isCancelled = false
    const source = new ReadableStream({ cancel: () => void (isCancelled = true) })
    const response = new Response().take(source)
    response.settle(prematureClose())
    await turns()
    expect(isCancelled).toBe(true)
  })

  it.each([['text'], [undefined], [null], [0]])(
    'fails with an error whatever it fails with: %j',
    async (reason) => {
      const source = new ReadableStream({ start: (controller) => controller.error(reason) })
      const response = new Response().take(source)
      await turns()
      expect(response.failures).toEqual([[expect.any(Error), false]])
      expect(response.writableEnded).toBe(false)
    },
  )
})

describe('a stream that was read before it is sent', () => {
  it('ends the response with its trailers, when nothing of it is left', async () => {
    const source = Readable.from(['gone'], { ...BYTES, autoDestroy: false })
    source.resume()
    await turns()
    const response = new Response().take(source, async () => ({ 'x-end': '1' }))
    await turns()
    expect(source.readableEnded).toBe(true)
    expect([response.trailers, response.writableEnded]).toEqual([[{ 'x-end': '1' }], true])
  })
})

describe('a stream that pipes in its own way', () => {
  /** What it yields goes through something else, which takes its time. */
  class Doubled extends PassThrough {
    override pipe<T extends NodeJS.WritableStream>(target: T, options?: { end?: boolean }): T {
      const doubling = new Transform({
        transform: (chunk, _encoding, done) => setImmediate(done, null, Buffer.concat([chunk, chunk])),
      })
      return super.pipe(doubling).pipe(target, options)
    }
  }

  it('is written to the end of what it pipes', async () => {
    const source = new Doubled()
    const response = new Response().take(source)
    source.end('ab')
    await turns()
    expect([response.pieces, response.writableEnded]).toEqual([['abab'], true])
  })

  it('is followed by its trailers', async () => {
    const source = new Doubled()
    const response = new Response().take(source, async () => ({ 'x-end': '1' }))
    source.end('ab')
    await turns()
    expect([response.pieces, response.trailers, response.writableEnded]).toEqual([
      ['abab'],
      [{ 'x-end': '1' }],
      true,
    ])
  })
})

describe('a stream of an older kind that is sent', () => {
  /** It has events and `pipe`, and nothing else. */
  class Old extends EventEmitter {
    readonly readable = true
    isGone = false
    pipe<T extends NodeJS.WritableStream>(target: T, options?: { end?: boolean }): T {
      return Reflect.apply(Stream.prototype.pipe, this, [target, options])
    }
    destroy(): void {
      this.isGone = true
    }
    get asStream(): ByteStream {
      return Object(this)
    }
  }

  it('is written to its end', async () => {
    const source = new Old()
    const response = new Response().take(source.asStream)
    source.emit('data', 'a')
    source.emit('end')
    await turns()
    expect([response.pieces, response.writableEnded, response.failures]).toEqual([['a'], true, []])
  })

  it('leaves the response unwritten when it fails before the first byte', async () => {
    const source = new Old()
    const response = new Response().take(source.asStream)
    source.emit('error', new Error('disk'))
    await turns()
    expect([response.failures, response.writableEnded]).toEqual([[[new Error('disk'), false]], false])
  })

  it('is destroyed when the client goes away', () => {
    const source = new Old()
    new Response().take(source.asStream).settle(prematureClose())
    expect(source.isGone).toBe(true)
  })
})

describe('the trailers of a response', () => {
  const end = async (source: TrailerSource, hasEnded = false): Promise<Response> => {
    const response = new Response()
    response.hasEnded = hasEnded
    endWithTrailers(response.exchange, response, source)
    await turns()
    return response
  }

  it('are left out when they cannot be made, and the response ends', async () => {
    const response = await end(() => Promise.reject(new Error('bad')))
    expect([response.trailers, response.writableEnded]).toEqual([[], true])
  })

  it('are left out when the client has gone', async () => {
    const response = await end(async () => ({ 'x-end': '1' }), true)
    expect([response.trailers, response.writableEnded]).toEqual([[], true])
  })
})
