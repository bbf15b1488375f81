import { expect, it } from 'vitest'

import { readBooks, SEED_FILE } from '../src/seed.ts'

const books = readBooks(SEED_FILE)

it('holds some hundred books, each once', () => {
  expect(books.length).toBeGreaterThan(300)
  expect(new Set(books.map((book) => book.id)).size).toBe(books.length)
  expect(new Set(books.map((book) => `${book.title} by ${book.author}`)).size).toBe(books.length)
})

it('holds books that are old enough to belong to everyone', () => {
  for (const { id, year } of books) {
    expect(year, id).toBeGreaterThanOrEqual(1450)
    expect(year, id).toBeLessThanOrEqual(1930)
  }
})

it('holds books that the schema of a book accepts', () => {
  for (const book of books) {
    expect(book.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(book.language, book.id).toMatch(/^[a-z]{2}$/)
    expect(book.subjects.length, book.id).toBeGreaterThan(0)
    expect(book.title.trim(), book.id).toBe(book.title)
  }
})

it('says which entry of a file is not a book', () => {
  expect(() => readBooks(new URL('fixtures/not-books.json', import.meta.url))).toThrow(
    /^entry 1 of .* is not a book$/,
  )
})
