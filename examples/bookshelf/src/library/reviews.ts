import type { Connection } from './open-database.ts'
import { number, text } from './rows.ts'
import type { NewReview, Review } from './types.ts'

const COLUMNS = 'id, book_id, reader, stars, text, written_at'

/** What readers wrote about the books. */
export interface Reviews {
  /** The reviews of a book, the latest first. */
  ofBook(bookId: string): Review[]
  /** Keeps a review of a book that exists. */
  add(bookId: string, review: NewReview): Review
  /** Removes a review; says whether there was one. */
  remove(id: number): boolean
}

/** Makes the queries of reviews over a connection. */
export function createReviews(connection: Connection): Reviews {
  const select = connection.prepare(`SELECT ${COLUMNS} FROM reviews WHERE book_id = ? ORDER BY id DESC`)
  const insert = connection.prepare(
    `INSERT INTO reviews (book_id, reader, stars, text, written_at) VALUES (?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
  )
  const remove = connection.prepare('DELETE FROM reviews WHERE id = ?')

  return {
    ofBook: (bookId) => select.all(bookId).map(toReview),
    add(bookId, { reader, stars, text: words }) {
      const writtenAt = new Date().toISOString()
      return toReview(insert.all(bookId, reader, stars, words, writtenAt)[0])
    },
    remove: (id) => remove.run(id).changes > 0,
  }
}

function toReview(row: unknown): Review {
  return {
    id: number(row, 'id'),
    bookId: text(row, 'book_id'),
    reader: text(row, 'reader'),
    stars: number(row, 'stars'),
    text: text(row, 'text'),
    writtenAt: text(row, 'written_at'),
  }
}
