import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
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
