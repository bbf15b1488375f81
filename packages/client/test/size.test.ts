import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const file = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

async function minified(entry: string): Promise<string> {
  const bundle = await rolldown({ input: file(entry) })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  expect(output).toHaveLength(1)
  return output[0].code
}

it('the client has at most 5,400 bytes minified, `follow` at most 2,000 more, the helpers for queries 900, exact integers 2,000', async () => {
  expect(Buffer.byteLength(await minified('src/index.ts'))).toBeLessThanOrEqual(5400)
  expect(Buffer.byteLength(await minified('src/follow.ts'))).toBeLessThanOrEqual(2000)
  expect(Buffer.byteLength(await minified('src/query.ts'))).toBeLessThanOrEqual(900)
  expect(Buffer.byteLength(await minified('src/integers.ts'))).toBeLessThanOrEqual(2000)
})

it('the package has no dependency', () => {
  const manifest: unknown = JSON.parse(readFileSync(file('package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('peerDependencies')
})
