import { BOOK_COLUMNS, toBook } from './book-row.ts'
import type { Connection } from './open-database.ts'
import { number, text } from './rows.ts'
import type { Book, BookQuery, Count, Page } from './types.ts'

// A condition whose parameter is null lets every book pass.
const MATCHES = `
  (@search IS NULL OR instr(lower(title), lower(@search)) > 0)
  AND (@author IS NULL OR author = @author COLLATE NOCASE)
  AND (@language IS NULL OR language = @language)
  AND (@subject IS NULL OR id IN (SELECT book_id FROM book_subjects WHERE subject = @subject))
  AND (@from IS NULL OR year >= @from)
  AND (@to IS NULL OR year <= @to)`

const ORDERS: Readonly<Record<BookQuery['sort'], string>> = {
  title: 'title, id',
  author: 'author, year, id',
  year: 'year, title, id',
}

/** A page of the books that match. */
export function findBooks(connection: Connection, query: BookQuery): Page<Book> {
  const { search = null, author = null, language = null, subject = null, from = null, to = null } = query
  const { sort, limit, offset } = query
  const condition = { search, author, language, subject, from, to }
  const count = connection.prepare(`SELECT count(*) AS total FROM books WHERE ${MATCHES}`)
  const page = connection.prepare(
    `SELECT ${BOOK_COLUMNS} FROM books WHERE ${MATCHES} ORDER BY ${ORDERS[sort]} LIMIT @limit OFFSET @offset`,
  )
  const total = number(count.all(condition)[0], 'total')
  return { total, limit, offset, items: page.all({ ...condition, limit, offset }).map(toBook) }
}

/** All authors, those with the most books first. */
export function countAuthors(connection: Connection): Count[] {
  const query =
    'SELECT author AS name, count(*) AS books FROM books GROUP BY author ORDER BY books DESC, name'
  return connection.prepare(query).all().map(toCount)
}

/** All subjects, those with the most books first. */
export function countSubjects(connection: Connection): Count[] {
  const query =
    'SELECT subject AS name, count(*) AS books FROM book_subjects GROUP BY subject ORDER BY books DESC, name'
  return connection.prepare(query).all().map(toCount)
}

function toCount(row: unknown): Count {
  return { name: text(row, 'name'), books: number(row, 'books') }
}
