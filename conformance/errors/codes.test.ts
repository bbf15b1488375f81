// Apps and plugins compare errors with the constructors in `errorCodes`.
import fastify4 from 'fastify4'
import fastify5 from 'fastify5'
import { errorCodes } from '@cloister/fastify'
import { expect, it } from 'vitest'

it.each([
  ['4.x', fastify4],
  ['5.x', fastify5],
])('errorCodes of the alias has the constructor of each code of %s', (_line, peer) => {
  const codes = Object.keys(peer.errorCodes)
  expect(codes.length).toBeGreaterThan(70)
  expect(Object.keys(errorCodes)).toEqual(expect.arrayContaining(codes))
})
