import { readFileSync } from 'node:fs'

import type { Library } from './library/library.ts'
import type { Book } from './library/types.ts'

/** The books that come with the example. */
export const SEED_FILE: URL = new URL('../data/books.json', import.meta.url)

/** Fills an empty shelf from a file; a shelf that holds books is left alone. Says how many were added. */
export function seedLibrary(library: Library, file: URL = SEED_FILE): number {
  if (library.stats().books > 0) return 0
  const books = readBooks(file)
  return books.length - library.books.addAll(books).length
}

/** Reads a file of books, and says which entry is none. */
export function readBooks(file: URL): Book[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(list)) throw new TypeError(`${file.pathname} must hold a list of books`)
  return list.map((entry: unknown, index) => {
    if (isBook(entry)) return entry
    throw new TypeError(`entry ${index} of ${file.pathname} is not a book`)
  })
}

function isBook(entry: unknown): entry is Book {
  if (typeof entry !== 'object' || entry === null) return false
  const { id, title, author, year, language, subjects }: Partial<Record<keyof Book, unknown>> = entry
  const texts = [id, title, author, language].every((value) => typeof value === 'string')
  return texts && Number.isInteger(year) && Array.isArray(subjects)
}
