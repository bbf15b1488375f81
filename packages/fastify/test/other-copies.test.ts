import { expect, it } from 'vitest'
import { findCopies } from '../src/other-copies.ts'

it('finds a framework that is loaded from two folders', () => {
  const copies = findCopies([
    '/app/node_modules/fastify/dist/bundle/index.cjs',
    '/app/node_modules/fastify/dist/bundle/index.code.cjs',
    '/app/node_modules/plugin/node_modules/fastify/fastify.js',
    '/app/node_modules/cloister/dist/bundle/index.cjs',
  ])
  expect([...copies]).toEqual([
    ['fastify', ['/app/node_modules/fastify', '/app/node_modules/plugin/node_modules/fastify']],
  ])
})

it('finds it in a store of links too, where the alias has its own name', () => {
  const store = '/app/node_modules/.pnpm'
  const own = `${store}/@cloister+fastify@5.12.8/node_modules/@cloister/fastify`
  const other = `${store}/fastify@5.12.8/node_modules/fastify`
  const files = [`${own}/dist/bundle/index.cjs`, `${other}/fastify.js`]
  expect([...findCopies(files)]).toEqual([['fastify', [own, other]]])
  expect(findCopies([`${own}/dist/bundle/index.cjs`]).size).toBe(0)
})

it('takes packages with similar names, and one copy, for no conflict', () => {
  const files = [
    'C:\\app\\node_modules\\fastify\\dist\\bundle\\index.cjs',
    'C:\\app\\node_modules\\fastify-plugin\\plugin.js',
    '/app/node_modules/@fastify/cors/index.js',
    '/app/fastify/index.js',
  ]
  expect([...findCopies(files)]).toEqual([])
})

it('a second copy of the alias shares one framework with the first', async () => {
  const again = '../src/fastify.ts?again'
  const [one, other]: readonly { readonly fastify: unknown }[] = [
    await import('../src/fastify.ts'),
    await import(again),
  ]
  expect(typeof other?.fastify).toBe('function')
  expect(other?.fastify).not.toBe(one?.fastify)
})
