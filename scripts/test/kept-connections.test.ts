import { beforeAll, describe, expect, it } from 'vitest'
import { figuresOf } from '../lib/figures.mjs'

let bytes: Readonly<Record<string, number>> = {}

beforeAll(async () => {
  bytes = (await figuresOf('scripts/kept-connections.mjs')) as Record<string, number>
}, 300_000)

// Node's own objects for a socket are 0.9 to 1.1 KB of these, in all supported versions.
describe('a connection that is kept open after its request', () => {
  it('holds at most 2,200 bytes of heap with the defaults of an app', () => {
    expect(bytes['app']).toBeGreaterThan(0)
    expect(bytes['app']).toBeLessThanOrEqual(2200)
  })

  it('holds at most 1,800 bytes of heap in the engine', () => {
    expect(bytes['engine']).toBeGreaterThan(0)
    expect(bytes['engine']).toBeLessThanOrEqual(1800)
  })
})
