import { once } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { canPump, pump } from '../../../src/transport/streams/pump.ts'

function collector(highWaterMark: number): { target: Writable; chunks: string[] } {
  const chunks: string[] = []
  const target = new Writable({
    highWaterMark,
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      setImmediate(done)
    },
  })
  return { target, chunks }
}

async function pumpTo(source: Readable, target: Writable): Promise<unknown> {
  return await new Promise((resolve) => pump(source, target, resolve))
}

describe('a pump', () => {
  it('writes everything in order through a target that is slower than the source', async () => {
    const { target, chunks } = collector(2)
    const all = Array.from({ length: 50 }, (_, index) => `chunk ${index};`)
    expect(await pumpTo(Readable.from(all), target)).toBeNull()
    target.end()
    await once(target, 'finish')
    expect(chunks).toEqual(all)
  })

  it('reads nothing while the target is full', async () => {
    const source = new PassThrough({ highWaterMark: 4 })
    let drain = (): void => {}
    const target = { write: () => false, on: (_event: 'drain', listener: () => void) => (drain = listener) }
    const settled = new Promise((resolve) => pump(source, target, resolve))
    source.write('four')
    await new Promise(setImmediate)
    expect(source.isPaused()).toBe(true)
    drain()
    expect(source.isPaused()).toBe(false)
    source.end()
    expect(await settled).toBeNull()
  })

  it('waits for a target that is full before the first chunk', async () => {
    const { target, chunks } = collector(1)
    target.write('before')
    expect(await pumpTo(Readable.from(['a', 'b']), target)).toBeNull()
    target.end()
    await once(target, 'finish')
    expect(chunks).toEqual(['before', 'a', 'b'])
  })

  it('reads nothing while a target is full that something else has filled', async () => {
    let drain = (): void => {}
    const pieces: unknown[] = []
    const target = {
      writableNeedDrain: true,
      write: (piece: unknown) => pieces.push(String(piece)) > 0,
      on: (_event: 'drain', listener: () => void) => (drain = listener),
    }
    const settled = new Promise((resolve) => pump(Readable.from(['a', 'b']), target, resolve))
    await new Promise(setImmediate)
    expect(pieces).toEqual([])
    drain()
    expect([await settled, pieces]).toEqual([null, ['a', 'b']])
  })

  it('gives the error of its source, and keeps a later one from being uncaught', async () => {
    const source = new PassThrough()
    const failure = pumpTo(source, collector(16).target)
    source.destroy(new Error('disk'))
    expect(await failure).toEqual(new Error('disk'))
    source.emit('error', new Error('late'))
  })

  it('gives the error of a source that does not close', () => {
    const { target } = collector(16)
    const failures: unknown[] = []
    for (const error of [new Error('disk'), undefined]) {
      const source = new PassThrough()
      pump(source, target, (failure) => failures.push(failure))
      source.emit('error', error)
    }
    const closed = expect.objectContaining({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
    expect(failures).toEqual([new Error('disk'), closed])
  })

  it('leaves a source alone that has failed', () => {
    let drain = (): void => {}
    const target = { write: () => false, on: (_event: 'drain', listener: () => void) => (drain = listener) }
    const source = new PassThrough()
    pump(source, target, () => {})
    source.emit('data', 'a')
    source.emit('error', new Error('disk'))
    drain()
    expect(source.isPaused()).toBe(true)
  })

  it('listens once to its target, however often it waits', () => {
    const listeners: unknown[] = []
    const target = { write: () => false, on: (...listener: unknown[]) => listeners.push(listener) }
    const source = new PassThrough()
    pump(source, target, () => {})
    for (let piece = 0; piece < 20; piece++) source.emit('data', 'a')
    expect(listeners).toHaveLength(1)
  })

  it('takes a source that closes before its end for one that failed', async () => {
    const source = new PassThrough()
    const failure = pumpTo(source, collector(16).target)
    source.destroy()
    expect(await failure).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
  })

  it('leaves no listener but the one for late errors', async () => {
    const source = Readable.from(['a'])
    const before = source.eventNames()
    await pumpTo(source, collector(16).target)
    expect(source.eventNames()).toEqual([...before, 'error'])
  })
})

describe('a stream can be pumped', () => {
  it('when nothing has read it', () => {
    expect(canPump(Readable.from(['a']))).toBe(true)
  })

  it('unless something else reads it, or it is over', () => {
    const read = new PassThrough().on('data', () => {})
    const polled = new PassThrough().on('readable', () => {})
    const gone = new PassThrough()
    gone.destroy()
    expect([read, polled, gone].map(canPump)).toEqual([false, false, false])
  })

  it('unless its class pipes in its own way', () => {
    class Own extends PassThrough {
      override pipe<T extends NodeJS.WritableStream>(target: T): T {
        return target
      }
    }
    expect(canPump(new Own())).toBe(false)
  })
})
