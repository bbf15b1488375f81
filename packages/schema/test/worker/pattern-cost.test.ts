import { describe, expect, it } from 'vitest'
import * as onNode from '../../src/regexp/cost.ts'
import * as inWorker from '../../src/worker/pattern-cost.ts'
import { HOSTILE } from '../regexp/hostile.ts'

describe('the cost of an expression in a worker', () => {
  it('is certain for no expression that takes more than linear time', () => {
    for (const [pattern] of HOSTILE)
      expect([pattern, inWorker.analyse(pattern, 'u')]).toMatchObject([pattern, { isCertain: false }])
    expect(inWorker.analyse('^a', 'um').isCertain).toBe(false)
    expect(inWorker.analyse('^[a-z]+$', 'u').isCertain).toBe(true)
  })

  it('stops no start and is warned of nowhere: no text is too long', () => {
    expect(inWorker.longestCheapText()).toBe(Infinity)
    expect(Object.keys(inWorker).toSorted()).toEqual(Object.keys(onNode).toSorted())
  })
})
