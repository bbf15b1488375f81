import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { build } from '../lib/build.mjs'
import { repository, run } from '../lib/run.mjs'

beforeAll(build)

function commonJsTypes(): string[] {
  const packages = path.join(repository, 'packages')
  return readdirSync(packages).flatMap((name) => {
    const folder = path.join(packages, name, 'dist/bundle')
    const files = existsSync(folder) ? readdirSync(folder) : []
    return files.filter((file) => file.endsWith('.d.cts')).map((file) => path.join(folder, file))
  })
}

it('the types for CommonJS name only what they import', async () => {
  const files = commonJsTypes()
  expect(files.length).toBeGreaterThan(30)
  const flags = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node']
  const { output } = await run(['tsc', '--ignoreConfig', ...flags, ...files])
  const ours = output.split('\n').filter((line) => /^packages\/.+\.d\.cts\(/.test(line))
  expect(ours).toEqual([])
})
