import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readStream } from '../../../src/transport/streams/body-reader.ts'
import type { Deferred } from '../../../src/transport/streams/body-reader.ts'

interface Setup {
  readonly stream?: Readable
  readonly isText?: boolean
  readonly limit?: number
  readonly declared?: number | null
}

/** Reads a stream as the body itself, or as one that a hook has put in its place. */
interface Reader {
  read(): Promise<unknown>
  readAtOnce(): Deferred
}

/** A reader, with its stream and what its receiver gets. */
function open({ stream = new PassThrough(), isText = true, limit = 1000, declared = null }: Setup = {}): {
  stream: Readable
  reader: Reader
  got: unknown[]
} {
  const got: unknown[] = []
  const receive = (content: unknown): void => void got.push(content)
  const refuse = (error: unknown): unknown => ({ refused: error })
  const readOf = (bodyStream: Readable): unknown =>
    readStream({ bodyStream, bodyLength: declared }, stream, limit, isText ? 'text' : 'bytes', {
      receive,
      refuse,
      consumed: () => new Error('consumed'),
    })
  const reader: Reader = {
    read: () => Promise.resolve(readOf(stream)),
    readAtOnce: () => Object(readOf(new PassThrough())),
  }
  return { stream, got, reader }
}

/** How the reading of a body has ended: with what was received, or with what it was refused for. */
async function read(setup: Setup): Promise<unknown> {
  const { reader, got } = open(setup)
  let outcome: unknown = 'open'
  reader.read().then(
    () => (outcome = got),
    (error: unknown) => (outcome = error),
  )
  for (let turns = 0; turns < 20 && outcome === 'open'; turns++) await new Promise(setImmediate)
  return outcome
}

const refusal = (name: string): object => ({ refused: expect.objectContaining({ code: `CLO_ERR_${name}` }) })
const TOO_LARGE = refusal('CTP_BODY_TOO_LARGE')

/** A stream of a hook that says how many bytes of a body it has decoded. */
function decoded(pieces: readonly string[], receivedEncodedLength: number): Readable {
  return Object.assign(Readable.from(pieces), { receivedEncodedLength })
}

describe('a body that is read to its end', () => {
  it('is received as text, or as bytes', async () => {
    const pieces = ['für', ' ', 'alle']
    expect(await read({ stream: Readable.from(pieces) })).toEqual(['für alle'])
    expect(await read({ stream: Readable.from(pieces), isText: false })).toEqual([Buffer.from('für alle')])
  })

  it('keeps characters whole that are cut into pieces', async () => {
    const bytes = Buffer.from('€uro')
    const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)]
    expect(await read({ stream: Readable.from(pieces) })).toEqual(['€uro'])
  })

  it('may be empty', async () => {
    expect(await read({ stream: Readable.from([]), declared: 0 })).toEqual([''])
    expect(await read({ stream: Readable.from([]), isText: false })).toEqual([Buffer.alloc(0)])
  })

  it('may come in text, parts of byte arrays, or other values, from a stream of a hook', async () => {
    const part = new Uint8Array(Buffer.from('xbytesx')).subarray(1, 6)
    expect(await read({ stream: Readable.from(['text ', part, 7, Buffer.from('!')]) })).toEqual([
      'text bytes7!',
    ])
  })

  it('is read from a stream that was paused', async () => {
    const stream = Readable.from(['a'])
    stream.pause()
    expect(await read({ stream })).toEqual(['a'])
  })

  it('removes its listeners from the stream', async () => {
    const stream = Readable.from(['a'], { autoDestroy: false })
    const before = stream.eventNames()
    await read({ stream })
    expect(stream.eventNames()).toEqual(before)
  })

  it('is received once', async () => {
    const { stream, reader, got } = open()
    const done = reader.read()
    stream.emit('end')
    stream.emit('end')
    stream.emit('close')
    await done
    expect(got).toEqual([''])
  })
})

describe('a body that is too large', () => {
  it('is one of more bytes than the limit', async () => {
    expect(await read({ stream: Readable.from(['1234', '56']), limit: 6 })).toEqual(['123456'])
    expect(await read({ stream: Readable.from(['1234', '567']), limit: 6 })).toEqual(TOO_LARGE)
    expect(await read({ stream: Readable.from(['für', 'um']), limit: 5 })).toEqual(TOO_LARGE)
  })

  it('is refused before its end', async () => {
    const { stream, reader } = open({ limit: 2 })
    const reading = reader.read()
    stream.push('abc')
    await expect(reading).rejects.toEqual(TOO_LARGE)
    expect(stream.listenerCount('data')).toBe(0)
  })

  it('is one that the client sends, although little of it is left, or the other way round', async () => {
    expect(await read({ stream: decoded(['a'], 7), limit: 6 })).toEqual(TOO_LARGE)
    expect(await read({ stream: decoded(['1234567'], 1), limit: 6 })).toEqual(TOO_LARGE)
    expect(await read({ stream: decoded(['a'], 6), limit: 6 })).toEqual(['a'])
  })
})

describe('a body of another length than it was declared with', () => {
  it('is refused', async () => {
    const invalid = refusal('CTP_INVALID_CONTENT_LENGTH')
    for (const text of ['ab', 'abcd', 'äb!'])
      expect(await read({ stream: Readable.from([text]), declared: 3 })).toEqual(invalid)
    expect(await read({ stream: Readable.from(['abc']), declared: 3 })).toEqual(['abc'])
    expect(await read({ stream: decoded(['abc'], 2), declared: 3 })).toEqual(invalid)
  })

  it('is none when a hook has decoded what came', async () => {
    expect(await read({ stream: decoded(['abcdef'], 3), declared: 3 })).toEqual(['abcdef'])
  })
})

describe('a body that does not come to its end', () => {
  const ABORTED = refusal('CTP_BODY_ABORTED')

  /** Reads a stream that fails. */
  async function fail(error: unknown): Promise<unknown> {
    const { stream, reader } = open()
    const reading = reader.read().catch((refused: unknown) => refused)
    stream.emit('error', error)
    return await reading
  }

  it('is aborted when the client resets the connection', async () => {
    const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    const refused = await fail(cause)
    expect(refused).toEqual(ABORTED)
    expect(refused).toMatchObject({ refused: { cause } })
  })

  it('is aborted when the client goes away', async () => {
    const { stream, reader } = open()
    const reading = reader.read()
    stream.destroy()
    await expect(reading).rejects.toEqual(ABORTED)
  })

  it.each([
    [new Error('no code')],
    [Object.assign(new Error('own'), { code: 'EOWN' })],
    [{ code: 'ECONNRESET' }],
    ['text'],
    [undefined],
  ])('is refused with what its stream failed with: %o', async (error) => {
    expect(await fail(error)).toEqual({ refused: error })
  })

  it('does not end the process with a later error', async () => {
    const { stream, reader, got } = open()
    const reading = reader.read().catch((refused: unknown) => refused)
    stream.emit('error', new Error('first'))
    expect(() => stream.emit('error', new Error('late'))).not.toThrow()
    expect([await reading, got]).toEqual([{ refused: new Error('first') }, []])
  })
})

describe('a body that a hook has replaced', () => {
  it('is received where it ends, in the asynchronous context of the request', () => {
    const context = new AsyncLocalStorage<string>()
    const { stream, reader, got } = open()
    const seen: unknown[] = []
    context.run('request', () => {
      reader.readAtOnce().then(
        (value) => seen.push(context.getStore(), value, [...got]),
        () => seen.push('refused'),
      )
    })
    stream.emit('data', 'a')
    stream.emit('end')
    expect(seen).toEqual(['request', undefined, ['a']])
  })

  it('is refused where it fails, in the asynchronous context of the request', () => {
    const context = new AsyncLocalStorage<string>()
    const { stream, reader } = open()
    const seen: unknown[] = []
    context.run('request', () => {
      reader.readAtOnce().then(
        () => seen.push('received'),
        (error) => seen.push(context.getStore(), error),
      )
    })
    const error = new Error('bad')
    stream.emit('error', error)
    expect(seen).toEqual(['request', { refused: error }])
  })

  it('is not read before it is waited for', () => {
    const { stream, reader } = open()
    reader.readAtOnce()
    expect(stream.listenerCount('data')).toBe(0)
  })
})
