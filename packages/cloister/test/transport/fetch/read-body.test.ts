import { isUtf8 } from 'node:buffer'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonParser } from '../../../src/body/default-parsers.ts'
import { readPieces, readText, readWhole } from '../../../src/transport/fetch/read-body.ts'

type Unread = Pick<Request, 'arrayBuffer' | 'body' | 'text'>

/** A receiver, and what it gets. */
function receiver(): {
  got: unknown[]
  receive(content: unknown): void
  refuse(error: unknown): unknown
  consumed(): Error
} {
  const got: unknown[] = []
  return {
    got,
    receive: (content) => void got.push(content),
    refuse: (error) => ({ refused: error }),
    consumed: () => new Error('consumed'),
  }
}

/** What comes of a body: what was received, or what reading it rejects with. */
async function outcomeOf(read: (target: ReturnType<typeof receiver>) => Promise<void>): Promise<unknown> {
  const target = receiver()
  return await read(target).then(
    () => target.got,
    (error: unknown) => error,
  )
}

const refusal = (name: string, cause?: unknown): object => ({
  refused: expect.objectContaining({
    code: `CLO_ERR_${name}`,
    ...(cause === undefined ? {} : { cause }),
  }),
})
const INVALID_LENGTH = refusal('CTP_INVALID_CONTENT_LENGTH')
const request = (body: string | Buffer): Unread => new Request('http://a', { method: 'POST', body })

/** A request whose client leaves. */
function broken(cause: unknown): Unread {
  const fail = (): Promise<never> => Promise.reject(cause)
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => controller.error(cause) })
  return { arrayBuffer: fail, text: fail, body }
}

describe('a body of known length that is read as text', () => {
  const read = (body: string | Buffer, declared: number): Promise<unknown> =>
    outcomeOf((target) => readWhole(request(body), declared, 'text', target))

  it('is received', async () => {
    expect(await read('abc', 3)).toEqual(['abc'])
    expect(await read('für', 4)).toEqual(['für'])
  })

  it('keeps its byte order mark', async () => {
    expect(await read(Buffer.from('\uFEFFabc'), 6)).toEqual(['\uFEFFabc'])
  })

  it('may have bytes that are no UTF-8', async () => {
    expect(await read(Buffer.from([0x61, 0xff]), 2)).toEqual(['a\uFFFD'])
    expect(await read(Buffer.from([0x61, 0xe2, 0x82]), 3)).toEqual(['a\uFFFD'])
  })

  it('must be as long as it was declared', async () => {
    for (const declared of [2, 4, 5, 7]) expect(await read('abc', declared)).toEqual(INVALID_LENGTH)
  })

  it('is counted in bytes, whatever these are', async () => {
    const bodies = ['ééééé', '\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD', 'ab\uFFFD'.repeat(1_000_000)]
    for (const body of bodies) expect(await read(body, 5)).toEqual(INVALID_LENGTH)
    expect(await read(Buffer.alloc(15, 0xff), 5)).toEqual(INVALID_LENGTH)
  })

  it('is aborted when its client disconnects', async () => {
    const cause = new Error('left')
    const aborted = await outcomeOf((target) => readWhole(broken(cause), 3, 'text', target))
    expect(aborted).toEqual(refusal('CTP_BODY_ABORTED', cause))
  })
})

describe('a text of known length that the platform decodes', () => {
  /** Decodes as the standard says: without one byte order mark. Node removes two. */
  const decoded = (body: string | Buffer): Unread => ({
    ...broken(null),
    text: async () => new TextDecoder().decode(Buffer.from(body)),
  })
  const read = (body: string | Buffer, declared: number): Promise<unknown> =>
    outcomeOf((target) => readText(decoded(body), declared, target))

  it('is received', async () => {
    expect(await read('abc', 3)).toEqual(['abc'])
    expect(await read('für', 4)).toEqual(['für'])
  })

  it('must be as long as it was declared', async () => {
    for (const declared of [2, 4, 5, 7]) expect(await read('abc', declared)).toEqual(INVALID_LENGTH)
    expect(await read('ééé', 5)).toEqual(INVALID_LENGTH)
  })

  it('is aborted when its client disconnects', async () => {
    const cause = new Error('left')
    const aborted = await outcomeOf((target) => readText(broken(cause), 3, target))
    expect(aborted).toEqual(refusal('CTP_BODY_ABORTED', cause))
  })

  const parse = createJsonParser({
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    bodyText: 'replace',
    duplicateNames: 'last',
    integers: 'number',
  })
  /** The value of JSON, or the code of its error. */
  const meaningOf = (outcome: unknown): unknown => {
    try {
      return [parse(null, Object(outcome)[0])]
    } catch (error) {
      return Reflect.get(Object(error), 'code')
    }
  }

  it('is the same JSON, whatever its bytes are, and the same text where these are valid', async () => {
    const texts = ['\uFEFF', '"', '"a"', '1', 'é', '😀', '\uFFFD', ' '].map((text) => Buffer.from(text))
    const invalid = ['22ff22', 'ff', 'e282', 'efbb', 'eda080', 'f09f'].map((bytes) =>
      Buffer.from(bytes, 'hex'),
    )
    const body = (parts: readonly Buffer[]): fc.Arbitrary<Buffer> =>
      fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((drawn) => Buffer.concat(drawn))
    await fc.assert(
      fc.asyncProperty(fc.oneof(body(texts), body([...texts, ...invalid])), async (bytes) => {
        const text = await read(bytes, bytes.length)
        const same = await outcomeOf((target) => readWhole(request(bytes), bytes.length, 'text', target))
        if (isUtf8(bytes)) expect(text).toEqual(same)
        expect(meaningOf(text)).toEqual(meaningOf(same))
      }),
      {
        numRuns: 2000,
        seed: Number(process.env['CLOISTER_SEED'] ?? 57),
        examples: [[Buffer.from('efbbbfefbbbf22ff22', 'hex')]],
      },
    )
  })
})

describe('a body of known length that is read as bytes', () => {
  const read = (body: string | Buffer, declared: number): Promise<unknown> =>
    outcomeOf((target) => readWhole(request(body), declared, 'bytes', target))

  it('is received', async () => {
    expect(await read('abc', 3)).toEqual([Buffer.from('abc')])
    expect(await read('', 0)).toEqual([Buffer.alloc(0)])
  })

  it('may come from another realm, as with test runners that have one for each file', async () => {
    const content: ArrayBuffer = runInNewContext('new Uint8Array([97, 98, 99]).buffer')
    const foreign = { ...broken(null), arrayBuffer: async () => content }
    expect(await outcomeOf((target) => readWhole(foreign, 3, 'bytes', target))).toEqual([Buffer.from('abc')])
  })

  it('must be as long as it was declared', async () => {
    for (const declared of [2, 4]) expect(await read('abc', declared)).toEqual(INVALID_LENGTH)
  })

  it('is aborted when its client disconnects', async () => {
    const cause = new Error('left')
    const aborted = await outcomeOf((target) => readWhole(broken(cause), 3, 'bytes', target))
    expect(aborted).toEqual(refusal('CTP_BODY_ABORTED', cause))
  })
})

describe('a body of unknown length', () => {
  /** A body in pieces, and whether it was cancelled. */
  function inPieces(...pieces: string[]): { unread: Unread; cancels: number } {
    const state = { cancels: 0 }
    const left = [...pieces]
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = left.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(piece))
      },
      cancel() {
        state.cancels++
        throw new Error('it cannot be cancelled')
      },
    })
    return Object.assign(state, { unread: { ...broken(null), body } })
  }
  const read = (unread: Unread, limit: number, as: 'text' | 'bytes' = 'text'): Promise<unknown> =>
    outcomeOf((target) => readPieces(unread, limit, as, target))

  it('is received as text or as bytes, in one piece or in many', async () => {
    for (const pieces of [['für'], ['f', 'ü', 'r']]) {
      expect(await read(inPieces(...pieces).unread, 4)).toEqual(['für'])
      expect(await read(inPieces(...pieces).unread, 4, 'bytes')).toEqual([Buffer.from('für')])
    }
  })

  it('may be empty, or none', async () => {
    expect(await read(inPieces().unread, 0)).toEqual([''])
    expect(await read({ ...broken(null), body: null }, 0)).toEqual([''])
  })

  it('is refused above its limit, and not read further', async () => {
    const body = inPieces('ab', 'cd', 'ef')
    expect(await read(body.unread, 3)).toEqual(refusal('CTP_BODY_TOO_LARGE'))
    expect(body.cancels).toBe(1)
  })

  it('is not cancelled when it was read to its end', async () => {
    const body = inPieces('ab', 'cd')
    expect(await read(body.unread, 4)).toEqual(['abcd'])
    expect(body.cancels).toBe(0)
    expect(body.unread.body?.locked).toBe(true)
  })

  it('is aborted when its client disconnects', async () => {
    const cause = new Error('left')
    expect(await read(broken(cause), 10)).toEqual(refusal('CTP_BODY_ABORTED', cause))
  })

  it('is aborted also when its client disconnects at the limit', async () => {
    const cause = new Error('left')
    let hasCome = false
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (hasCome) controller.error(cause)
        else controller.enqueue(new Uint8Array(3))
        hasCome = true
      },
    })
    const unread = { ...broken(cause), body }
    expect(await read(unread, 3)).toEqual(refusal('CTP_BODY_ABORTED', cause))
  })
})
