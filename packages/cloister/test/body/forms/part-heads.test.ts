import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PartHeads } from '../../../src/body/forms/part-heads.ts'
import * as bytes from '../../../src/bytes.ts'
import * as workerBytes from '../../../src/worker/bytes.ts'

const HEAD = 'Content-Disposition: form-data; name="a"'
const pieces = fc.constantFrom(
  '--B',
  '\r\n',
  '\r\n--B',
  '--',
  '-',
  '\n',
  '\r',
  `${HEAD}\r\n\r\n`,
  HEAD,
  'x',
  `\r\n--B\r\n${HEAD}\r\n\r\n`,
)

/** Returns how many parts a form has that arrives in pieces of these sizes, or that it is refused. */
function read(text: string, sizes: readonly number[]): unknown {
  const heads = new PartHeads('B')
  const all = new TextEncoder().encode(text)
  try {
    let at = 0
    for (const size of sizes) {
      heads.add(all.subarray(at, at + size))
      at += size
    }
    heads.add(all.subarray(at))
    heads.end()
    return heads.count
  } catch (error) {
    return error instanceof Error && error.message.includes('form') ? 'refused' : error
  }
}

describe('heads of parts', () => {
  it('are the same however the form is cut', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }),
        fc.array(fc.integer({ min: 0, max: 9 })),
        (drawn, sizes) => {
          const text = drawn.join('')
          const ones = Array.from({ length: text.length }, () => 1)
          const whole = read(text, [])
          expect(read(text, sizes)).toEqual(whole)
          expect(read(text, ones)).toEqual(whole)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('are found by workers as by Node', () => {
    const some = fc.uint8Array({ max: 3, maxLength: 30 })
    fc.assert(
      fc.property(
        some,
        fc.uint8Array({ max: 3, minLength: 1, maxLength: 4 }),
        fc.nat(30),
        (all, wanted, start) => {
          const from = Math.min(start, all.length)
          expect(workerBytes.indexOfBytes(all, wanted, from)).toBe(bytes.indexOfBytes(all, wanted, from))
        },
      ),
    )
  })
})
