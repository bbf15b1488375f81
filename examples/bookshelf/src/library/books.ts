import { countAuthors, countSubjects, findBooks } from './book-lists.ts'
import { BOOK_COLUMNS, toBook } from './book-row.ts'
import type { Connection } from './open-database.ts'
import type { Book, BookQuery, Count, Page } from './types.ts'

/** The books of the shelf. */
export interface Books {
  /** The book of this id, when there is one. */
  get(id: string): Book | undefined
  /** Whether there is a book of this id. */
  has(id: string): boolean
  /** A page of the books that match. */
  find(query: BookQuery): Page<Book>
  /** All authors, those with the most books first. */
  authors(): Count[]
  /** All subjects, those with the most books first. */
  subjects(): Count[]
  /** Adds books whose ids are free; returns the ids that were taken. */
  addAll(books: readonly Book[]): string[]
  /** Changes a book; says whether there was one. */
  change(book: Book): boolean
  /** Removes a book with its reviews; says whether there was one. */
  remove(id: string): boolean
}

/** Makes the queries of books over a connection. */
export function createBooks(connection: Connection): Books {
  const select = connection.prepare(`SELECT ${BOOK_COLUMNS} FROM books WHERE id = ?`)
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO books (id, title, author, year, language) VALUES (?, ?, ?, ?, ?)',
  )
  const update = connection.prepare(
    'UPDATE books SET title = ?, author = ?, year = ?, language = ? WHERE id = ?',
  )
  const remove = connection.prepare('DELETE FROM books WHERE id = ?')
  const addSubject = connection.prepare(
    'INSERT OR IGNORE INTO book_subjects (book_id, subject) VALUES (?, ?)',
  )
  const dropSubjects = connection.prepare('DELETE FROM book_subjects WHERE book_id = ?')

  const add = ({ id, title, author, year, language, subjects }: Book): boolean => {
    const isNew = insert.run(id, title, author, year, language).changes > 0
    if (isNew) for (const subject of subjects) addSubject.run(id, subject)
    return isNew
  }
  const change = ({ id, title, author, year, language, subjects }: Book): boolean => {
    const isThere = update.run(title, author, year, language, id).changes > 0
    if (isThere) dropSubjects.run(id)
    if (isThere) for (const subject of subjects) addSubject.run(id, subject)
    return isThere
  }

  return {
    get: (id) => select.all(id).map(toBook)[0],
    has: (id) => select.all(id).length > 0,
    find: (query) => findBooks(connection, query),
    authors: () => countAuthors(connection),
    subjects: () => countSubjects(connection),
    // A transaction: all or nothing is written.
    addAll: connection.transaction((books: readonly Book[]) =>
      books.filter((book) => !add(book)).map((book) => book.id),
    ),
    change: connection.transaction(change),
    remove: (id) => remove.run(id).changes > 0,
  }
}
