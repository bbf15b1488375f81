import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repository } from '../../../scripts/lib/run.mjs'

const recipes = path.join(repository, 'docs/recipes')
const withPlugins = readdirSync(recipes).filter((name) =>
  /^import .* from '@fastify\//m.test(readFileSync(path.join(recipes, name), 'utf8')),
)

it('finds recipes with plugins of @fastify/*', () => {
  expect(withPlugins.length).toBeGreaterThan(4)
})

it.each(withPlugins)('the recipe installs its plugins, and the alias that their types import: %s', (name) => {
  const text = readFileSync(path.join(recipes, name), 'utf8')
  const [install = ''] = /^npm install .*@fastify\/.*$/m.exec(text) ?? []
  expect(install).toContain('"fastify@npm:@cloister/fastify@^5.12.0"')
  const imported = [...text.matchAll(/^import .* from '(@fastify\/[^']+)'/gm)].map(
    ([, plugin = '']) => plugin,
  )
  for (const plugin of imported) expect(install.split(' ')).toContain(plugin)
})
