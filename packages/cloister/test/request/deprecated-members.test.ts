import { expect, it } from 'vitest'

import { cloister } from '../../src/index.ts'

it('requests have the raw request and its socket under their deprecated names', async () => {
  const app = cloister()
  app.get('/', (request) => [request.req === request.raw, request.connection === request.socket])
  const response = await app.inject('/')
  expect(response.json()).toEqual([true, true])
})
