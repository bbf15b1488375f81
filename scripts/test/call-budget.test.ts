import { beforeAll, describe, expect, it } from 'vitest'
import { figuresOf } from '../lib/figures.mjs'

interface Total {
  readonly files: number
  readonly calls: number
}
interface Count {
  readonly request: string
  readonly lane: string
  /** of our packages and their dependencies */
  readonly all: Total
  readonly detail: readonly { readonly file: string }[]
}

let counts: readonly Count[] = []

beforeAll(async () => {
  counts = (await figuresOf('scripts/count-calls.mjs')) as Count[]
})

/**
 * Serializers have two back ends and use the one that is faster on the running V8: on Node 22 and 26 that is
 * `JSON.stringify` of a copy, after a search for `toJSON`. What it adds in each lane.
 */
const COPY: Readonly<Record<string, Total>> = {
  'node:http': { files: 1, calls: 5 },
  // Closures make the copy.
  defaults: { files: 5, calls: 11 },
}

function expectAtMost(count: Count | undefined, files: number, calls: number): void {
  const copies = count?.detail.some(({ file }) => file.endsWith('json-text.js')) === true
  const added = copies ? COPY[count.lane] : undefined
  expect(count?.all.files).toBeLessThanOrEqual(files + (added?.files ?? 0))
  expect(count?.all.calls).toBeLessThanOrEqual(calls + (added?.calls ?? 0))
}

describe('the call budget over node:http', () => {
  it('takes a GET with params and response schema through at most 25 files and 41 calls', () => {
    expectAtMost(counts[0], 25, 41)
  })

  it('takes a POST with a body schema through at most 26 files and 63 calls', () => {
    expectAtMost(counts[1], 26, 63)
  })

  it('takes a POST with params, body and response schema through at most 30 files and 72 calls', () => {
    expectAtMost(counts[2], 30, 72)
  })
})

// The engine parses heads itself, and values are checked by closures until a schema is worth compiling to code.
describe('the call budget with the defaults of an app', () => {
  it.each([
    [3, 'a GET with params and response schema', 48, 88],
    [4, 'a POST with a body schema', 43, 105],
    [5, 'a POST with params, body and response schema', 53, 133],
  ])('%i: takes %s through at most %i files and %i calls', (index, _request, files, calls) => {
    expect(counts[index]?.lane).toBe('defaults')
    expectAtMost(counts[index], files, calls)
  })
})
