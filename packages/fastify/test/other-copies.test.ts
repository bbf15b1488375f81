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

it('takes packages with similar names, and one copy, for no conflict', () => {
  const files = [
    'C:\\app\\node_modules\\fastify\\dist\\bundle\\index.cjs',
    'C:\\app\\node_modules\\fastify-plugin\\plugin.js',
    '/app/node_modules/@fastify/cors/index.js',
    '/app/fastify/index.js',
  ]
  expect([...findCopies(files)]).toEqual([])
})
