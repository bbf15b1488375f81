import { number, text, textList } from './rows.ts'
import type { Book } from './types.ts'

/** The columns that make a book, its subjects as a JSON list. */
export const BOOK_COLUMNS = `id, title, author, year, language,
  (SELECT json_group_array(subject)
   FROM (SELECT subject FROM book_subjects WHERE book_id = books.id ORDER BY rowid)) AS subjects`

/** A book out of a row with these columns. */
export function toBook(row: unknown): Book {
  return {
    id: text(row, 'id'),
    title: text(row, 'title'),
    author: text(row, 'author'),
    year: number(row, 'year'),
    language: text(row, 'language'),
    subjects: textList(row, 'subjects'),
  }
}
