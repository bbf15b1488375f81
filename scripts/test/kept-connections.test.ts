import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../lib/build.mjs'
import { MODULES } from '../lib/bundle.mjs'
import { run } from '../lib/run.mjs'

let bytes: Readonly<Record<string, number>> = {}

// The measurement runs the published form, so the packages are built first.
beforeAll(async () => {
  await build()
  const { code, output } = await run([
    process.execPath,
    `--conditions=${MODULES}`,
    'scripts/kept-connections.mjs',
    '--json',
  ])
  expect(code, output).toBe(0)
  bytes = JSON.parse(output) as Record<string, number>
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
