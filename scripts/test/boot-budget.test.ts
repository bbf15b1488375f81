import { describe, expect, it } from 'vitest'
import { figuresOf } from '../lib/figures.mjs'

describe('the call budget of a boot', () => {
  it('takes one more route with schemas for every part through at most 1,070 calls', async () => {
    const { calls } = (await figuresOf('scripts/count-boot.mjs')) as { calls: number }
    expect(calls).toBeLessThanOrEqual(1_070)
    // Fewer cannot prepare the schemas of a route.
    expect(calls).toBeGreaterThan(100)
  })
})
