// The CPU time for the head of a part grows with its length, whatever the head has.
import { describe, expect, it } from 'vitest'
import { growthOf, LINEAR, textOf } from '../../../../../conformance/harness/growth.ts'
import { charsetIn, headProblem, nameIn } from '../../../src/body/forms/part-head.ts'

const SIZE = 65_536
const DISPOSITION = '\r\nContent-Disposition: form-data; '
const PIECES = [
  '\\"',
  '"',
  '\\',
  ';',
  '*=',
  ';a="',
  ';a="\\"',
  ';name="\\"',
  ';name=',
  ' ',
  '; ',
  '%0',
  'a',
  '\r\n ',
]
const STARTS = ['', 'name="', 'name=s; a="', 'name*=', '\r\nContent-Type: a/b;a="']

describe('the CPU time for the head of a part', () => {
  it.each(STARTS)('grows with its length, if it goes on with %j', (start) => {
    for (const piece of PIECES)
      for (const read of [headProblem, nameIn, charsetIn]) {
        const work = (length: number): unknown => read(textOf(DISPOSITION + start, piece, length) + '\r\n')
        expect([read.name, piece, growthOf(work, SIZE, 4) > LINEAR]).toEqual([read.name, piece, false])
      }
  })
})
