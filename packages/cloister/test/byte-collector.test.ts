import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteCollector, PieceJoiner } from '../src/byte-collector.ts'

/** Pieces of all sizes, and many small ones. */
const PIECES = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.uint8Array({ maxLength: 9 }) },
    fc.integer({ min: 1, max: 20_000 }).map((size) => new Uint8Array(size).fill(size)),
  ),
  { maxLength: 300 },
)

describe('ByteCollector', () => {
  it('returns the bytes in the order in which they were added, whatever their pieces', () => {
    fc.assert(
      fc.property(PIECES, (pieces) => {
        const collector = new ByteCollector()
        for (const piece of pieces) collector.add(piece)
        const whole = Buffer.concat(pieces)
        expect(collector.length).toBe(whole.length)
        expect(Buffer.compare(collector.takeJoined(), whole)).toBe(0)
        expect(collector.length).toBe(0)
      }),
    )
  })

  it('keeps many small pieces as few parts', () => {
    const collector = new ByteCollector()
    for (let at = 0; at < 1_000_000; at += 1) collector.add(Uint8Array.of(at))
    const parts = collector.take()
    expect(parts.length).toBeLessThan(40)
    expect(new Set(parts.map(({ buffer }) => buffer)).size).toBe(parts.length)
  })

  it('does not copy the only piece, nor large ones', () => {
    const collector = new ByteCollector()
    const only = Uint8Array.of(1)
    collector.add(only)
    expect(collector.take()).toEqual([only])
    const large = new Uint8Array(5000)
    collector.add(only)
    collector.add(large)
    expect(collector.take()[1]).toBe(large)
  })
})

describe('PieceJoiner', () => {
  it('passes on all bytes in order, and few pieces', () => {
    fc.assert(
      fc.property(PIECES, (pieces) => {
        const passed: Uint8Array[] = []
        const joiner = new PieceJoiner((bytes) => passed.push(bytes))
        for (const piece of pieces) joiner.add(piece)
        joiner.flush()
        expect(Buffer.compare(Buffer.concat(passed), Buffer.concat(pieces))).toBe(0)
      }),
    )
  })

  it('passes on small pieces after a moment, though no more come', async () => {
    const text = await new Promise((resolve) => {
      new PieceJoiner((bytes) => resolve(Buffer.from(bytes).toString())).add(Buffer.from('ab'))
    })
    expect(text).toBe('ab')
  })

  it('passes on nothing that was dropped', async () => {
    const passed: Uint8Array[] = []
    const joiner = new PieceJoiner((bytes) => passed.push(bytes))
    joiner.add(Buffer.from('ab'))
    joiner.drop()
    joiner.flush()
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
    expect(passed).toEqual([])
  })
})
