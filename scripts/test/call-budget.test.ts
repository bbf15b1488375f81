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
  readonly core: Total
  readonly own: Total
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
}, 120_000)

describe('the call budget over node:http', () => {
  it('takes a GET with params and response schema through at most 14 files of the framework, and 45 calls of our packages', () => {
    expect(counts[0]?.core.files).toBeLessThanOrEqual(14)
    expect(counts[0]?.own.calls).toBeLessThanOrEqual(45)
  })

  it('takes a POST with a body schema through at most 19 files of the framework, and 65 calls of our packages', () => {
    expect(counts[1]?.core.files).toBeLessThanOrEqual(19)
    expect(counts[1]?.own.calls).toBeLessThanOrEqual(65)
  })
})
