import { EventEmitter } from 'node:events'
import { Duplex, PassThrough, Readable, Stream, Transform } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { ByteStream, WebStream } from '../../../src/exchange/streams.ts'
import { pump } from '../../../src/transport/streams/pump.ts'
import { FakeWriter, turns } from '../../fake-writer.ts'

const CLOSED = expect.objectContaining({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
const BYTES = { objectMode: false }

/** A source that is pumped, and what becomes of it. */
class Pumped {
  readonly writer = new FakeWriter()
  readonly ends: unknown[] = []
  readonly stop: (reason: unknown) => void

  constructor(source: ByteStream | WebStream, prepare: (writer: FakeWriter) => void = () => {}) {
    prepare(this.writer)
    this.stop = pump(source, this.writer, (failure) =>
      this.ends.push(failure === null ? 'ended' : failure.thrown),
    )
  }
}

const slow = (writer: FakeWriter): void => void (writer.readsAtOnce = false)

/** A stream with a reader of its own, which has to be piped. */
const KINDS: readonly (readonly [string, <T extends Readable>(stream: T) => T])[] = [
  ['a stream of Node', (stream) => stream],
  ['a stream of Node with a reader of its own', (stream) => stream.on('data', () => {})],
]

describe.each(KINDS)('%s', (_name, given) => {
  it('is written in order, and then ends', async () => {
    const all = Array.from({ length: 50 }, (_, index) => `chunk ${index};`)
    const { writer, ends } = new Pumped(given(Readable.from(all, BYTES)))
    await turns()
    expect([writer.pieces.join(''), ends, writer.isEnded]).toEqual([all.join(''), ['ended'], false])
  })

  it('is read as fast as the client reads', async () => {
    const source = given(new PassThrough({ highWaterMark: 4 }))
    const { writer } = new Pumped(source, slow)
    source.write('a')
    await turns()
    source.write('b')
    await turns()
    expect([writer.pieces, writer.isWaited]).toEqual([['a'], true])
    writer.drain()
    await turns()
    expect(writer.pieces).toEqual(['a', 'b'])
  })

  it('gives its error, and keeps a later one from being uncaught', async () => {
    const source = given(new PassThrough())
    const { ends } = new Pumped(source)
    source.destroy(new Error('disk'))
    await turns()
    source.emit('error', new Error('late'))
    expect(ends).toEqual([new Error('disk')])
  })

  it.each([[undefined], [null]])('fails with an error when it fails with %j', async (nothing) => {
    const source = given(new PassThrough({ autoDestroy: false }))
    const { ends } = new Pumped(source)
    source.emit('error', nothing)
    source.end('late')
    await turns()
    expect(ends).toEqual([CLOSED])
  })

  it('has failed when it closes before its end', async () => {
    const source = given(new PassThrough())
    const { ends } = new Pumped(source)
    source.destroy()
    await turns()
    expect(ends).toEqual([CLOSED])
  })

  it('is destroyed when nothing more is wanted of it, without an end of its own', async () => {
    const source = given(new PassThrough())
    const { ends, stop, writer } = new Pumped(source, slow)
    source.write('a')
    await turns()
    stop(new Error('gone'))
    writer.drain()
    await turns()
    expect([source.destroyed, ends]).toEqual([true, []])
  })

  it('is destroyed when its content cannot be written', async () => {
    const source = given(new PassThrough())
    const { ends } = new Pumped(source, (writer) => {
      writer.write = () => {
        throw new Error('too long')
      }
    })
    source.write('a')
    await turns()
    expect([ends, source.destroyed]).toEqual([[new Error('too long')], true])
  })
})

describe('a stream of objects', () => {
  it('is written when they are texts and bytes', async () => {
    const { writer, ends } = new Pumped(Readable.from(['a', Buffer.from('b'), new Uint8Array([99])]))
    await turns()
    expect([writer.pieces.join(''), ends]).toEqual(['abc', ['ended']])
  })

  it('fails at one that no response can write', async () => {
    const { writer, ends } = new Pumped(Readable.from(['a', { b: 1 }, 'c']))
    await turns()
    expect(writer.pieces).toEqual(['a'])
    expect(ends).toEqual([expect.objectContaining({ code: 'CLO_ERR_REP_INVALID_PAYLOAD_TYPE' })])
  })
})

describe('a source', () => {
  it('keeps no listener but the one for late errors', async () => {
    const source = Readable.from(['a'])
    const before = source.eventNames()
    new Pumped(source)
    await turns()
    expect(source.eventNames()).toEqual([...before, 'error'])
  })

  it('is not released once it has ended', async () => {
    const source = new Duplex({ read() {}, autoDestroy: false, allowHalfOpen: true })
    new Pumped(source)
    source.push('a')
    source.push(null)
    await turns()
    expect(source.destroyed).toBe(false)
  })

  it('that has ended before ends at once', async () => {
    const source = Readable.from(['gone'], { ...BYTES, autoDestroy: false })
    source.resume()
    await turns()
    const { ends } = new Pumped(source)
    await turns()
    expect([source.readableEnded, ends]).toEqual([true, ['ended']])
  })

  it('that was destroyed before has failed', async () => {
    const source = new PassThrough()
    source.destroy()
    await turns()
    const { ends } = new Pumped(source)
    await turns()
    expect(ends).toEqual([CLOSED])
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
    const { writer, ends } = new Pumped(source)
    source.end('ab')
    await turns()
    expect([writer.pieces, ends]).toEqual([['abab'], ['ended']])
  })
})

describe('a stream of an older kind', () => {
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
    const { writer, ends } = new Pumped(source.asStream)
    source.emit('data', 'a')
    source.emit('end')
    await turns()
    expect([writer.pieces, ends]).toEqual([['a'], ['ended']])
  })

  it('gives its error', async () => {
    const source = new Old()
    const { writer, ends } = new Pumped(source.asStream)
    source.emit('error', new Error('disk'))
    await turns()
    expect([ends, writer.pieces]).toEqual([[new Error('disk')], []])
  })

  it('is released', () => {
    const source = new Old()
    new Pumped(source.asStream).stop(new Error('gone'))
    expect(source.isGone).toBe(true)
  })
})

const END = Symbol('end')

/** A web stream that yields what it is given, and then ends, fails or waits; it notes what is asked of it. */
class Source {
  pulls = 0
  readonly cancels: unknown[] = []
  readonly stream: ReadableStream<unknown>

  constructor(values: readonly unknown[], ...[then]: readonly unknown[]) {
    const left = [...values]
    this.stream = new ReadableStream<unknown>(
      {
        pull: (controller) => {
          this.pulls++
          if (left.length > 0) controller.enqueue(left.shift())
          else if (then === END) controller.close()
          else if (then === 'wait') return new Promise(() => {})
          else controller.error(then)
          return undefined
        },
        cancel: (reason) => {
          this.cancels.push(reason)
          throw new Error('it cannot be cancelled')
        },
      },
      { highWaterMark: 0 },
    )
  }
}

describe('a web stream', () => {
  it('is written as a whole, whatever bytes or text it yields', async () => {
    const source = new Source(
      ['a', Buffer.from('b'), new Uint8Array([0x63]), new Uint8Array([0x64]).buffer],
      END,
    )
    const { writer, ends } = new Pumped(source.stream)
    await turns()
    expect([writer.pieces.join(''), ends, source.cancels]).toEqual(['abcd', ['ended'], []])
  })

  it('is read as fast as the client reads', async () => {
    const source = new Source(['a', 'b', 'c'], END)
    const { writer } = new Pumped(source.stream, slow)
    await turns()
    expect(source.pulls).toBe(1)
    writer.drain()
    await turns()
    expect([source.pulls, writer.pieces]).toEqual([2, ['a', 'b']])
  })

  it.each([[new Error('broken')], ['text'], [undefined], [null], [0]])(
    'gives its error: %j',
    async (reason) => {
      const { ends } = new Pumped(new Source([], reason).stream)
      await turns()
      expect(ends).toEqual([reason])
    },
  )

  it('is cancelled at a chunk that is neither text nor bytes', async () => {
    const source = new Source([7], END)
    const { ends } = new Pumped(source.stream)
    await turns()
    const message = expect.stringContaining('number')
    const error = expect.objectContaining({ code: 'CLO_ERR_REP_INVALID_PAYLOAD_TYPE', message })
    expect([ends, source.cancels]).toEqual([[error], [error]])
  })

  it('is cancelled with the reason when nothing more is wanted of it', async () => {
    const source = new Source([], 'wait')
    const { ends, stop } = new Pumped(source.stream)
    const reason = new Error('gone')
    stop(reason)
    await turns()
    expect([source.cancels, ends]).toEqual([[reason], []])
  })

  it('that gives a chunk after it was cancelled writes nothing', async () => {
    let give = (_result: { done: boolean; value: string }): void => {}
    const read = (): Promise<{ done: boolean; value: string }> => new Promise((resolve) => (give = resolve))
    const cancel = (): Promise<void> => Promise.resolve()
    const { writer, stop, ends } = new Pumped({ locked: false, cancel, getReader: () => ({ read, cancel }) })
    stop(null)
    give({ done: false, value: 'late' })
    await turns()
    expect([writer.pieces, ends]).toEqual([[], []])
  })
})
