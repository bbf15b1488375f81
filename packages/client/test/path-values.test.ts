// Values in paths: the text that is sent is that of queries.
import { afterAll, expect, it } from 'vitest'

import { client } from '../src/index.ts'
import { echoApp } from './echo-app.ts'

interface Api {
  'GET /text': { replies: { 200: string } }
}

const app = echoApp()
const api = client<Api>(app.fetch)
afterAll(() => app.close())

function call(route: string, input: object): unknown {
  return Reflect.apply(api, undefined, [route, input])
}

const inPath = (id: unknown): unknown => call('GET /users/:id/files/*', { params: { id, '*': 'x' } })

it('dates in a path are written as in JSON, also in a list', async () => {
  const at = new Date(0)
  expect(await inPath(at)).toMatchObject({ body: { id: at.toJSON() } })
  expect(await inPath([at, 1])).toMatchObject({ body: { id: `${at.toJSON()},1` } })
})

it.each([[{ a: 1 }], [[{ a: 1 }]]])('an object in a path is an error: %j', async (id) => {
  await expect(inPath(id)).rejects.toThrow(new TypeError('id cannot be an object'))
})

it('an invalid date is an error in a path and in a query, not the text null', async () => {
  const at = new Date(NaN)
  await expect(inPath(at)).rejects.toThrow(RangeError)
  await expect(call('POST /echo', { query: { at } })).rejects.toThrow(RangeError)
})
