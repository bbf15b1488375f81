import { createBooks } from './books.ts'
import type { Books } from './books.ts'
import { openDatabase } from './open-database.ts'
import type { Connection } from './open-database.ts'
import { createReviews } from './reviews.ts'
import type { Reviews } from './reviews.ts'
import { number, numberOrNull } from './rows.ts'
import type { Stats } from './types.ts'

/** Everything that is kept: books, reviews, figures. */
export interface Library {
  readonly books: Books
  readonly reviews: Reviews
  /** The shelf in figures. */
  stats(): Stats
  /** Closes the file; nothing works after that. */
  close(): void
}

/** Opens the library in a database file. */
export function openLibrary(file: string): Library {
  const connection = openDatabase(file)
  return {
    books: createBooks(connection),
    reviews: createReviews(connection),
    stats: () => readStats(connection),
    close: () => void connection.close(),
  }
}

function readStats(connection: Connection): Stats {
  const [row] = connection
    .prepare(
      `SELECT count(*) AS books, count(DISTINCT author) AS authors, min(year) AS oldest, max(year) AS newest,
        (SELECT count(*) FROM reviews) AS reviews
      FROM books`,
    )
    .all()
  return {
    books: number(row, 'books'),
    authors: number(row, 'authors'),
    reviews: number(row, 'reviews'),
    oldest: numberOrNull(row, 'oldest'),
    newest: numberOrNull(row, 'newest'),
  }
}
