import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  discard,
  isBlob,
  isGenerator,
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
  'function with getReader': Object.assign(() => {}, { getReader: () => {} }),
  'Node stream': Readable.from([]),
  'web stream': new ReadableStream(),
  Response: new Response('x'),
  'other Response': tagged('Response'),
  Blob: new Blob(['x']),
  File: new File(['x'], 'name'),
  'other Blob': tagged('Blob'),
  'other File': tagged('File'),
  'async generator': (async function* () {})(),
  'other async generator': tagged('AsyncGenerator'),
  generator: (function* () {})(),
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
    ['an async generator', isGenerator, ['async generator', 'other async generator']],
  ])('is %s for values that are one alone', (_name, test, expected) => {
    expect(namesOf(test)).toEqual(expected)
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
    void discard(failing)
    await turn()
    expect(failing.destroyed).toBe(true)
    let reason: unknown = 'open'
    const web = new ReadableStream({
      cancel: () => {
        reason = 'cancelled'
      },
    })
    void discard(web)
    await turn()
    expect(reason).toBe('cancelled')
  })

  it('may be anything', () => {
    for (const value of ['text', 5, null, undefined, {}]) expect(discard(value)).toBe(null)
  })

  it('keeps its methods to itself if it is no stream, such as a row of a database that has destroy', () => {
    const called: string[] = []
    const names = ['return', 'cancel', 'destroy', 'close', 'abort']
    const row = Object.fromEntries(names.map((name) => [name, () => void called.push(name)]))
    expect([discard(row), called]).toEqual([null, []])
  })

  it('may fail to be closed, with a promise that rejects', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const on = (): never => {
      throw Promise.reject(new Error('broken'))
    }
    expect(discard({ pipe: () => {}, on })).toBe(null)
    await turn()
    await turn()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})
