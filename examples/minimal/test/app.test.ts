import { afterAll, expect, it } from 'vitest'

import { createApp } from '../src/app.ts'

const app = createApp()

afterAll(() => app.close())

it('greets, with the default of the query, and sends only what the schema declares', async () => {
  const response = await app.inject('/hello/world')
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual([{ hello: 'world' }])
})

it('converts the query', async () => {
  expect((await app.inject('/hello/world?times=2')).json()).toHaveLength(2)
})

it('refuses a query that is not valid', async () => {
  const response = await app.inject('/hello/world?times=many')
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ message: 'querystring/times must be integer' })
})

it('responds on a port', async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${address}/hello/world`, { headers: { connection: 'close' } })
  expect(await response.json()).toEqual([{ hello: 'world' }])
})
