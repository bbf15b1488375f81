import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../lib/build.mjs'
import { MODULES } from '../lib/bundle.mjs'
import { run } from '../lib/run.mjs'

beforeAll(build)

describe('the call budget of a boot', () => {
  it('takes one more route with schemas for every part through at most 1,050 calls', async () => {
    const { code, output } = await run([
      process.execPath,
      `--conditions=${MODULES}`,
      'scripts/count-boot.mjs',
      '--json',
    ])
    expect(code, output).toBe(0)
    const { calls } = JSON.parse(output) as { calls: number }
    expect(calls).toBeLessThanOrEqual(1_050)
    // Fewer cannot prepare the schemas of a route.
    expect(calls).toBeGreaterThan(100)
  })
})
