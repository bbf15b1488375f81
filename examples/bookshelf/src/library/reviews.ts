import type { Connection } from './open-database.ts'
import { number, text } from './rows.ts'
import type { NewReview, Review } from './types.ts'

const COLUMNS = 'id, book_id, reader, stars, text, written_at'

/** What readers wrote about the books. */
export type Reviews = ReturnType<typeof createReviews>

/** Makes the queries of reviews over a connection. */
export function createReviews(connection: Connection) {
  const select = connection.prepare(`SELECT ${COLUMNS} FROM reviews WHERE book_id = ? ORDER BY id DESC`)
  const insert = connection.prepare(
    `INSERT INTO reviews (book_id, reader, stars, text, written_at) VALUES (?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
  )
  const remove = connection.prepare('DELETE FROM reviews WHERE id = ?')

  return {
    /** The reviews of a book, the latest first. */
    ofBook(bookId: string): Review[] {
      return select.all(bookId).map(toReview)
    },

    /** Keeps a review of a book that exists. */
    add(bookId: string, review: NewReview): Review {
      const writtenAt = new Date().toISOString()
      return toReview(insert.get(bookId, review.reader, review.stars, review.text, writtenAt))
    },

    /** Removes a review; says whether there was one. */
    remove(id: number): boolean {
      return remove.run(id).changes > 0
    },
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
