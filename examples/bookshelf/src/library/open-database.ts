import Database from 'libsql'

import { number } from './rows.ts'

/** An open database file. */
export type Connection = Database.Database

// One statement per step of the file's history. A step is never changed once it was released, only followed by
// another: `user_version` of the file counts the steps that it has been through.
const STEPS = [
  `CREATE TABLE books (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    year INTEGER NOT NULL,
    language TEXT NOT NULL
  ) STRICT;
  CREATE TABLE book_subjects (
    book_id TEXT NOT NULL REFERENCES books ON UPDATE CASCADE ON DELETE CASCADE,
    subject TEXT NOT NULL,
    PRIMARY KEY (book_id, subject)
  ) STRICT;
  CREATE INDEX books_by_author ON books (author);
  CREATE INDEX books_by_subject ON book_subjects (subject);`,
  `CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    book_id TEXT NOT NULL REFERENCES books ON UPDATE CASCADE ON DELETE CASCADE,
    reader TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    text TEXT NOT NULL,
    written_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX reviews_by_book ON reviews (book_id);`,
]

// Rows are read with `all()` everywhere: `get()` of this driver finds nothing in a statement whose last `all()`
// was empty.

/** Opens the file, makes it when it is not there, and brings its tables up to date. */
export function openDatabase(file: string): Connection {
  const connection = connect(file)
  // With a log beside the file, a process that is killed in the middle of a write does no harm.
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;')
  const done = readVersion(connection)
  for (const [index, step] of STEPS.entries()) {
    if (index < done) continue
    connection.exec(`BEGIN; ${step} PRAGMA user_version = ${index + 1}; COMMIT;`)
  }
  return connection
}

function connect(file: string): Connection {
  try {
    return new Database(file)
  } catch (cause) {
    throw new Error(`the database file ${file} cannot be opened; does its folder exist?`, { cause })
  }
}

function readVersion(connection: Connection): number {
  const rows = connection.prepare('SELECT user_version AS version FROM pragma_user_version').all()
  return number(rows[0], 'version')
}
