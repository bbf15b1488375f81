import type { Connection } from './open-database.ts'
import { number, text, textList } from './rows.ts'
import type { Book, BookFields, BookQuery, Count, Page } from './types.ts'

const COLUMNS = `id, title, author, year, language,
  (SELECT json_group_array(subject)
   FROM (SELECT subject FROM book_subjects WHERE book_id = books.id ORDER BY rowid)) AS subjects`

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

/** The books of the shelf. */
export type Books = ReturnType<typeof createBooks>

/** Makes the queries of books over a connection. */
export function createBooks(connection: Connection) {
  const select = connection.prepare<[string]>(`SELECT ${COLUMNS} FROM books WHERE id = ?`)
  const insert = connection.prepare(
    'INSERT INTO books (id, title, author, year, language) VALUES (?, ?, ?, ?, ?)',
  )
  const update = connection.prepare(
    'UPDATE books SET title = ?, author = ?, year = ?, language = ? WHERE id = ?',
  )
  const remove = connection.prepare('DELETE FROM books WHERE id = ?')
  const addSubject = connection.prepare(
    'INSERT OR IGNORE INTO book_subjects (book_id, subject) VALUES (?, ?)',
  )
  const dropSubjects = connection.prepare('DELETE FROM book_subjects WHERE book_id = ?')

  const has = (id: string): boolean => select.get(id) !== undefined
  const setSubjects = (id: string, subjects: readonly string[]): void => {
    dropSubjects.run(id)
    for (const subject of subjects) addSubject.run(id, subject)
  }

  const add = (book: Book): boolean => {
    if (has(book.id)) return false
    insert.run(book.id, book.title, book.author, book.year, book.language)
    setSubjects(book.id, book.subjects)
    return true
  }
  const addAll = connection.transaction((books: readonly Book[]): string[] =>
    books.filter((book) => !add(book)).map((book) => book.id),
  )
  const change = connection.transaction((id: string, fields: BookFields): boolean => {
    if (!has(id)) return false
    update.run(fields.title, fields.author, fields.year, fields.language, id)
    setSubjects(id, fields.subjects)
    return true
  })

  return {
    /** The book of this name, when there is one. */
    get(id: string): Book | undefined {
      const row = select.get(id)
      return row === undefined ? undefined : toBook(row)
    },

    /** Whether there is a book of this name. */
    has,

    /** A page of the books that match. */
    find(query: BookQuery): Page<Book> {
      const { sort, limit, offset } = query
      const condition = toCondition(query)
      const total = connection.prepare(`SELECT count(*) AS total FROM books WHERE ${MATCHES}`).get(condition)
      const page = connection.prepare(
        `SELECT ${COLUMNS} FROM books WHERE ${MATCHES} ORDER BY ${ORDERS[sort]} LIMIT @limit OFFSET @offset`,
      )
      const rows = page.all({ ...condition, limit, offset })
      return { total: number(total, 'total'), limit, offset, items: rows.map(toBook) }
    },

    /** Adds books, all or none; answers with the names that were taken. */
    addAll(books: readonly Book[]): string[] {
      return addAll(books)
    },

    /** Changes a book; says whether there was one. */
    change(id: string, fields: BookFields): boolean {
      return change(id, fields)
    },

    /** Removes a book with its reviews; says whether there was one. */
    remove(id: string): boolean {
      return remove.run(id).changes > 0
    },

    /** All authors, those with the most books first. */
    authors(): Count[] {
      return countBy(connection, 'SELECT author AS name, count(*) AS books FROM books GROUP BY author')
    },

    /** All subjects, those with the most books first. */
    subjects(): Count[] {
      return countBy(
        connection,
        'SELECT subject AS name, count(*) AS books FROM book_subjects GROUP BY subject',
      )
    },
  }
}

function countBy(connection: Connection, query: string): Count[] {
  const rows = connection.prepare(`${query} ORDER BY books DESC, name`).all()
  return rows.map((row) => ({ name: text(row, 'name'), books: number(row, 'books') }))
}

function toCondition(query: BookQuery): Record<string, string | number | null> {
  const { search = null, author = null, language = null, subject = null, from = null, to = null } = query
  return { search, author, language, subject, from, to }
}

function toBook(row: unknown): Book {
  return {
    id: text(row, 'id'),
    title: text(row, 'title'),
    author: text(row, 'author'),
    year: number(row, 'year'),
    language: text(row, 'language'),
    subjects: textList(row, 'subjects'),
  }
}
