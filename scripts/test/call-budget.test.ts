import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../lib/build.mjs'
import { MODULES } from '../lib/bundle.mjs'
import { run } from '../lib/run.mjs'

interface Total {
  readonly files: number
  readonly calls: number
}
interface Count {
  readonly request: string
  /** of our packages and their dependencies */
  readonly all: Total
}

let counts: readonly Count[] = []

// The counter looks at what is published, so the packages are built first; that is quick when nothing changed.
beforeAll(async () => {
  await build()
  const { code, output } = await run([
    process.execPath,
    `--conditions=${MODULES}`,
    'scripts/count-calls.mjs',
    '--json',
  ])
  expect(code, output).toBe(0)
  counts = JSON.parse(output) as Count[]
})

describe('the call budget over node:http', () => {
  it('takes a GET with params and response schema through at most 25 files and 40 calls', () => {
    expect(counts[0]?.all.files).toBeLessThanOrEqual(25)
    expect(counts[0]?.all.calls).toBeLessThanOrEqual(40)
  })

  it('takes a POST with a body schema through at most 26 files and 60 calls', () => {
    expect(counts[1]?.all.files).toBeLessThanOrEqual(26)
    expect(counts[1]?.all.calls).toBeLessThanOrEqual(60)
  })

  it('takes a POST with params, body and response schema through at most 31 files and 70 calls', () => {
    expect(counts[2]?.all.files).toBeLessThanOrEqual(31)
    expect(counts[2]?.all.calls).toBeLessThanOrEqual(70)
  })
})
