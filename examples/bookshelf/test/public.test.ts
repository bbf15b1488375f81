import { describe, expect, it } from 'vitest'

import { useShelf } from './helpers/start.ts'

const shelf = useShelf()

describe('the public context', () => {
  it('responds with a page of books', async () => {
    const { status, body } = await shelf.send('/books?author=jane%20austen&sort=year&limit=2')
    expect(status).toBe(200)
    const items = [
      {
        id: 'sense-and-sensibility',
        title: 'Sense and Sensibility',
        author: 'Jane Austen',
        year: 1811,
        language: 'en',
        subjects: ['novel', 'romance'],
      },
      expect.objectContaining({ id: 'pride-and-prejudice', year: 1813 }),
    ]
    expect(body).toEqual({ total: 6, limit: 2, offset: 0, items })
  })

  it('fills in the defaults of the query', async () => {
    const { body } = await shelf.send('/books')
    expect(body).toMatchObject({ total: 640, limit: 20, offset: 0 })
    expect(body).toHaveProperty('items.length', 20)
  })

  it('narrows by all conditions together', async () => {
    const { body } = await shelf.send('/books?language=ru&subject=play&from=1890&to=1910&search=the')
    expect(body).toMatchObject({ total: 2, items: [{ id: 'the-cherry-orchard' }, { id: 'the-seagull' }] })
  })

  it('has one book by its id, and its reviews', async () => {
    expect((await shelf.send('/books/moby-dick')).body).toMatchObject({ title: 'Moby-Dick', year: 1851 })
    expect((await shelf.send('/books/moby-dick/reviews')).body).toEqual([])
  })

  it('counts authors and subjects', async () => {
    expect((await shelf.send('/authors')).body).toHaveProperty('0', {
      name: 'William Shakespeare',
      books: 17,
    })
    expect((await shelf.send('/subjects')).body).toHaveProperty('0.name', 'novel')
  })

  it('takes reviews from anyone', async () => {
    const review = { reader: 'Ishmael', stars: 5, text: 'A whale of a book.', admin: true }
    const posted = await shelf.send('/books/moby-dick/reviews', { method: 'POST', body: review })
    expect(posted.status).toBe(201)
    expect(posted.body).toEqual({
      id: expect.any(Number),
      bookId: 'moby-dick',
      reader: 'Ishmael',
      stars: 5,
      text: 'A whale of a book.',
      writtenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const { body } = await shelf.send('/books/moby-dick/reviews')
    expect(body).toContainEqual(posted.body)
  })

  it.each([
    ['/books?limit=lots', 'querystring/limit must be integer'],
    ['/books?limit=1000', 'querystring/limit must be <= 100'],
    ['/books?language=english', 'querystring/language must match pattern "^[a-z]{2}$"'],
    ['/books?subject=x', 'querystring/subject must NOT have fewer than 2 characters'],
    ['/books?sort=price', 'querystring/sort must be equal to one of the allowed values'],
    ['/books?from=12', 'querystring/from must be >= 1400'],
    ['/books/Moby-Dick', 'params/id must match pattern "^[a-z0-9]+(-[a-z0-9]+)*$"'],
  ])('refuses %s and says why', async (path, message) => {
    const { status, body } = await shelf.send(path)
    expect(status).toBe(400)
    expect(body).toMatchObject({ title: 'Bad Request', status: 400, detail: message })
  })

  it.each([
    [{ reader: 'A' }, "body must have required property 'stars'"],
    [{ reader: 'A', stars: 6 }, 'body/stars must be <= 5'],
    [{ reader: '', stars: 5 }, 'body/reader must NOT have fewer than 1 characters'],
    [[], 'body must be object'],
  ])('refuses the review %j', async (body, message) => {
    const response = await shelf.send('/books/moby-dick/reviews', { method: 'POST', body })
    expect(response).toMatchObject({ status: 400, body: { detail: message } })
  })

  it.each([
    ['/books/no-such-book', {}],
    ['/books/no-such-book/reviews', {}],
    ['/books/no-such-book/reviews', { method: 'POST', body: { reader: 'A', stars: 1 } }],
  ])('responds with 404 for %s', async (path, options) => {
    const { status, body } = await shelf.send(path, options)
    expect(status).toBe(404)
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: "there is no book 'no-such-book'",
      instance: path,
      code: 'BOOKSHELF_NOT_FOUND',
    })
  })

  it('finds a book after it did not find another', async () => {
    for (const [id, status] of [
      ['nothing', 404],
      ['emma', 200],
      ['nothing', 404],
      ['emma', 200],
    ]) {
      expect((await shelf.send(`/books/${id}`)).status).toBe(status)
      expect((await shelf.send(`/books/${id}/reviews`)).status).toBe(status)
    }
  })

  it('needs no key', async () => {
    expect((await shelf.send('/books', { key: 'wrong' })).status).toBe(200)
  })
})
