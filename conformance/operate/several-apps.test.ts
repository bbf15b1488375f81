// A signal to a process with several apps.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

import { build } from '../../scripts/lib/build.mjs'

const file = fileURLToPath(new URL('./several-apps.mjs', import.meta.url))

beforeAll(build)

describe('a signal to a process with several apps', () => {
  it('ends it when the last app has closed; each serves its requests, and a failure is the exit code', async () => {
    const child = spawn(process.execPath, [file], { stdio: 'pipe' })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    while (!out.includes('\n')) await once(child.stdout, 'data')
    const addresses: readonly string[] = JSON.parse(out)
    const responses = addresses.map(async (address) => (await fetch(address)).text())
    // The requests are on their way before the signal.
    await fetch(addresses[1] ?? '')
    const again = addresses.map(async (address) => (await fetch(address)).text())
    setTimeout(() => child.kill('SIGTERM'), 50)
    expect(await Promise.all([...responses, ...again])).toEqual([
      'first',
      'second',
      'third',
      'first',
      'second',
      'third',
    ])
    expect(await once(child, 'close')).toEqual([1, null])
    expect(out.split('\n').slice(1, -1).toSorted()).toEqual(['first closes', 'second closes', 'third closes'])
  })
})
