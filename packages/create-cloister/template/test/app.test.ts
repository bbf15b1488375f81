import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'

import { createApp } from '../src/app.ts'

describe('notes', () => {
  let app: ReturnType<typeof createApp>
  beforeEach(() => {
    app = createApp({ logger: false })
  })
  afterEach(() => app.close())

  it('are added and read', async () => {
    const added = await app.inject({ method: 'POST', url: '/notes', payload: { text: 'Buy milk' } })
    assert.equal(added.statusCode, 201)
    const read = await app.inject('/notes/1')
    assert.deepEqual(read.json(), { id: 1, text: 'Buy milk', done: false })
  })

  it('without a text are refused', async () => {
    const response = await app.inject({ method: 'POST', url: '/notes', payload: {} })
    assert.equal(response.statusCode, 400)
    assert.match(response.body, /text/)
  })

  it('that do not exist are not found', async () => {
    assert.equal((await app.inject('/notes/7')).statusCode, 404)
  })
})
