import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'

import { createApp } from '../src/app.ts'
//[auth]
//[auth] const headers = { authorization: 'Bearer development' }

let app: ReturnType<typeof createApp>
beforeEach(() => {
  //[database] app = createApp({ logger: false, database: ':memory:' })
  //[!database] app = createApp({ logger: false })
})
afterEach(() => app.close())

describe('notes', () => {
  it('are added and read', async () => {
    //[auth] const added = await app.inject({ method: 'POST', url: '/notes', headers, payload: { text: 'Buy milk' } })
    //[!auth] const added = await app.inject({ method: 'POST', url: '/notes', payload: { text: 'Buy milk' } })
    assert.equal(added.statusCode, 201)
    //[auth] const read = await app.inject({ url: '/notes/1', headers })
    //[!auth] const read = await app.inject('/notes/1')
    assert.deepEqual(read.json(), { id: 1, text: 'Buy milk', done: false })
  })

  it('without a text are refused', async () => {
    //[auth] const response = await app.inject({ method: 'POST', url: '/notes', headers, payload: {} })
    //[!auth] const response = await app.inject({ method: 'POST', url: '/notes', payload: {} })
    assert.equal(response.statusCode, 400)
    assert.match(response.body, /text/)
  })

  it('that do not exist are not found', async () => {
    //[auth] assert.equal((await app.inject({ url: '/notes/7', headers })).statusCode, 404)
    //[!auth] assert.equal((await app.inject('/notes/7')).statusCode, 404)
  })
  //[auth]
  //[auth] it('are not for clients without a key', async () => {
  //[auth]   assert.equal((await app.inject('/notes')).statusCode, 401)
  //[auth]   assert.equal((await app.inject('/health')).statusCode, 200)
  //[auth] })
})

describe('pages of other origins', () => {
  it('may not change notes, and responses have security headers', async () => {
    const sent = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }
    //[auth] const response = await app.inject({ method: 'POST', url: '/notes', headers: { ...headers, ...sent }, payload: { text: 'Spam' } })
    //[!auth] const response = await app.inject({ method: 'POST', url: '/notes', headers: sent, payload: { text: 'Spam' } })
    assert.equal(response.statusCode, 403)
    assert.equal(response.headers['x-content-type-options'], 'nosniff')
  })
})
//[openapi]
//[openapi] describe('the OpenAPI document', () => {
//[openapi]   it('has the routes', async () => {
//[openapi]     const { paths } = (await app.inject('/openapi.json')).json()
//[openapi]     assert.deepEqual(Object.keys(paths), ['/health', '/notes', '/notes/{id}'])
//[openapi]   })
//[openapi] })
