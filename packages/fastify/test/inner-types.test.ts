import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('has the inner type paths of fastify for compilers that do not read exports', () => {
  const { exports, typesVersions } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  expect(typesVersions).toEqual({ '*': { 'types/*': [exports['./types/*'].types] } })
})
