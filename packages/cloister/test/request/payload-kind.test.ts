import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  asBytes,
  discard,
  isBlob,
  isNodeStream,
  isResponse,
  isSearchParams,
  isWebStream,
} from '../../src/request/payload-kind.ts'

/** An object of another implementation, as far as it can be seen. */
const tagged = (tag: string): object => ({ [Symbol.toStringTag]: tag })

const VALUES: Readonly<Record<string, unknown>> = {
  undefined,
  null: null,
  text: 'text',
  number: 5,
  object: { a: 1 },
  list: ['a'],
  'object with pipe': { pipe: true },
  'object with getReader': { getReader: 'x' },
  'function with pipe': Object.assign(() => {}, { pipe: () => {} }),
  'Node stream': Readable.from([]),
  'web stream': new ReadableStream(),
  Response: new Response('x'),
  'other Response': tagged('Response'),
  Blob: new Blob(['x']),
  File: new File(['x'], 'name'),
  'other Blob': tagged('Blob'),
  'other File': tagged('File'),
  URLSearchParams: new URLSearchParams('a=1'),
  Buffer: Buffer.from('x'),
}

const namesOf = (test: (value: unknown) => boolean): string[] =>
  Object.keys(VALUES).filter((name) => test(VALUES[name]))

describe('the kind of a payload', () => {
  it.each([
    ['a Node stream', isNodeStream, ['Node stream']],
    ['a web stream', isWebStream, ['web stream']],
    ['a Response', isResponse, ['Response', 'other Response']],
    ['a Blob', isBlob, ['Blob', 'File', 'other Blob', 'other File']],
    ['URLSearchParams', isSearchParams, ['URLSearchParams']],
  ])('is %s for values that are one alone', (_name, test, expected) => {
    expect(namesOf(test)).toEqual(expected)
  })
})

describe('the bytes of a payload', () => {
  it('of a buffer are the buffer itself', () => {
    const buffer = Buffer.from('abc')
    expect(asBytes(buffer)).toBe(buffer)
  })

  it('of a view are its part of the memory', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3)
    expect(asBytes(bytes)).toEqual(Buffer.from([2, 3]))
    expect(asBytes(bytes)?.buffer).toBe(bytes.buffer)
    expect(asBytes(new DataView(bytes.buffer, 3))).toEqual(Buffer.from([4]))
    expect(asBytes(new Uint16Array([258]))).toHaveLength(2)
    expect(asBytes(new Uint8Array([5, 6]).buffer)).toEqual(Buffer.from([5, 6]))
  })

  it('are null for everything else', () => {
    for (const value of ['text', 5, null, undefined, {}, [1]]) expect(asBytes(value)).toBeNull()
  })
})

describe('a payload that is not sent', () => {
  it('is closed, and its late failure ends no process', async () => {
    const failing = new Readable({
      read() {},
      destroy(_error, callback) {
        callback(new Error('too late'))
      },
    })
    discard(failing)
    await turn()
    expect(failing.destroyed).toBe(true)
    let reason: unknown = 'open'
    const web = new ReadableStream({
      cancel: () => {
        reason = 'cancelled'
      },
    })
    discard(web)
    await turn()
    expect(reason).toBe('cancelled')
  })

  it('may be anything', () => {
    for (const value of ['text', 5, null, undefined, {}]) expect(() => discard(value)).not.toThrow()
  })
})
