import { describe, expect, it } from 'vitest'

import { ADMIN_KEY as key, useShelf } from './helpers/start.ts'

const shelf = useShelf()

const book = {
  id: 'the-odyssey-of-a-test',
  title: 'The Odyssey of a Test',
  author: 'Nobody',
  year: 2020,
  language: 'en',
  subjects: ['testing'],
}

describe('the admin context', () => {
  it.each([
    ['GET', '/admin/stats'],
    ['POST', '/admin/books'],
    ['POST', '/admin/books/import'],
    ['PATCH', '/admin/books/moby-dick'],
    ['DELETE', '/admin/books/moby-dick'],
    ['DELETE', '/admin/reviews/1'],
  ])('lets nobody in without the key: %s %s', async (method, path) => {
    for (const wrong of [undefined, 'wrong']) {
      const { status, headers, body } = await shelf.send(path, {
        method,
        ...(method === 'GET' ? {} : { body: {} }),
        ...(wrong === undefined ? {} : { key: wrong }),
      })
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="bookshelf"/)
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(body).toMatchObject({ title: 'Unauthorized', status: 401 })
    }
  })

  it('gives the shelf in figures', async () => {
    const { status, body } = await shelf.send('/admin/stats', { key })
    expect(status).toBe(200)
    expect(body).toEqual({ books: 640, authors: expect.any(Number), oldest: 1485, newest: 1930, reviews: 0 })
  })

  it('adds, changes and removes a book', async () => {
    const added = await shelf.send('/admin/books', { method: 'POST', key, body: { ...book, price: 3 } })
    expect(added).toMatchObject({ status: 201, body: book })
    expect(added.body).not.toHaveProperty('price')
    expect(added.headers.get('location')).toBe(`/books/${book.id}`)

    const path = `/admin/books/${book.id}`
    const changed = await shelf.send(path, {
      method: 'PATCH',
      key,
      body: { year: 2021, subjects: ['testing', 'sea'] },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { ...book, year: 2021, subjects: ['testing', 'sea'] },
    })
    expect((await shelf.send(`/books/${book.id}`)).body).toEqual(changed.body)

    expect(await shelf.send(path, { method: 'DELETE', key })).toMatchObject({ status: 204, body: undefined })
    expect((await shelf.send(`/books/${book.id}`)).status).toBe(404)
  })

  it('imports many books at once and says which were there', async () => {
    const body = [book, { ...book, id: 'moby-dick' }]
    const { status, body: response } = await shelf.send('/admin/books/import', { method: 'POST', key, body })
    expect(status).toBe(200)
    expect(response).toEqual({ added: 1, skipped: ['moby-dick'] })
    await shelf.send(`/admin/books/${book.id}`, { method: 'DELETE', key })
  })

  it('removes a review', async () => {
    const review = { reader: 'Ahab', stars: 1 }
    await shelf.send('/books/moby-dick/reviews', { method: 'POST', body: review })
    const path = '/admin/reviews/1'
    expect((await shelf.send(path, { method: 'DELETE', key })).status).toBe(204)
    expect((await shelf.send(path, { method: 'DELETE', key })).status).toBe(404)
  })

  it('sends errors as problem details', async () => {
    const invalid = await shelf.send('/admin/books', {
      method: 'POST',
      key,
      body: { ...book, year: 'long ago' },
    })
    expect(invalid.status).toBe(400)
    expect(invalid.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(invalid.body).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'body/year must be integer',
      instance: '/admin/books',
      code: 'CLO_ERR_VALIDATION',
      errors: [
        {
          part: 'body',
          pointer: '/year',
          keyword: 'type',
          message: 'must be integer',
          params: { type: 'integer' },
        },
      ],
    })
    const taken = await shelf.send('/admin/books', {
      method: 'POST',
      key,
      body: { ...book, id: 'moby-dick' },
    })
    expect(taken).toMatchObject({ status: 409, body: { detail: "there is a book 'moby-dick' already" } })
    const nothing = await shelf.send('/admin/books/moby-dick', { method: 'PATCH', key, body: {} })
    expect(nothing).toMatchObject({
      status: 400,
      body: { detail: 'body must NOT have fewer than 1 properties' },
    })
  })
})
