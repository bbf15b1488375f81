import { describe, expect, it } from 'vitest'
import { Progress } from '../../../src/transport/node/progress.ts'

describe('the progress of a client', () => {
  it('is measured from the last time that it read', () => {
    const progress = new Progress()
    const times = [
      progress.stalledFor(100, 'a'),
      progress.stalledFor(300, 'a'),
      progress.stalledFor(400, 'b'),
      progress.stalledFor(450, 'b'),
    ]
    expect(times).toEqual([0, 200, 0, 50])
  })

  it('is no stall while nothing waits for it', () => {
    const progress = new Progress()
    progress.stalledFor(100, 'a')
    expect([progress.stalledFor(300, ''), progress.stalledFor(900, '')]).toEqual([0, 0])
    expect([progress.stalledFor(1000, 'a'), progress.stalledFor(1100, 'a')]).toEqual([0, 100])
  })
})
