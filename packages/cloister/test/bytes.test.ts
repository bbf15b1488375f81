import { describe, expect, it } from 'vitest'
import * as node from '../src/bytes.ts'
import * as worker from '../src/worker/bytes.ts'

describe.each([
  ['on Node', node],
  ['in workers', worker],
] as const)('bytes %s', (_where, { toBytes, chunkBytes, joinBytes, utf8Text, byteLengthOf }) => {
  it('of a buffer are the buffer itself', () => {
    const buffer = Buffer.from('abc')
    expect(toBytes(buffer)).toBe(buffer)
  })

  it('of a view are its part of the memory', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3)
    expect(toBytes(bytes)).toEqual(Buffer.from([2, 3]))
    expect(toBytes(bytes)?.buffer).toBe(bytes.buffer)
    expect(toBytes(new DataView(bytes.buffer, 3))).toEqual(Buffer.from([4]))
    expect(toBytes(new Uint16Array([258]))).toHaveLength(2)
    expect(toBytes(new Uint8Array([5, 6]).buffer)).toEqual(Buffer.from([5, 6]))
  })

  it('are null for everything else', () => {
    for (const value of ['text', 5, null, undefined, {}, [1]]) expect(toBytes(value)).toBeNull()
  })

  it('of pieces of a stream are those of texts and of numbers in UTF-8', () => {
    expect(utf8Text(chunkBytes('é'))).toBe('é')
    expect(utf8Text(chunkBytes(7))).toBe('7')
  })

  it('are joined in their order', () => {
    expect(utf8Text(joinBytes([chunkBytes('a'), chunkBytes(''), chunkBytes('bc')]))).toBe('abc')
    expect(joinBytes([]).byteLength).toBe(0)
  })

  it('become text with its byte order mark, and U+FFFD for what is no UTF-8', () => {
    expect(utf8Text(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))).toBe('\uFEFFa\uFFFD')
  })

  it('of a text are counted in UTF-8', () => {
    expect(byteLengthOf('aé😀')).toBe(7)
  })
})
