import Database from 'libsql'

export interface Note {
  readonly id: number
  readonly text: string
  readonly done: boolean
}

/** Where the notes are. */
export interface Store {
  all(): readonly Note[]
  find(id: number): Note | undefined
  add(text: string, done: boolean): Note
  close(): void
}

const TABLE = `create table if not exists notes (
  id integer primary key,
  text text not null,
  done integer not null
)`

/** SQLite has no booleans. */
function toNote(row: unknown): Note {
  const { id, text, done } = Object(row)
  return { id: Number(id), text: String(text), done: done === 1 }
}

/** Opens the database in a file. */
export function openStore(file: string): Store {
  const database = new Database(file)
  database.exec(TABLE)
  const all = database.prepare('select id, text, done from notes order by id')
  const byId = database.prepare('select id, text, done from notes where id = ?')
  const add = database.prepare('insert into notes (text, done) values (?, ?) returning id, text, done')
  return {
    all: () => all.all().map(toNote),
    find: (id) => byId.all(id).map(toNote)[0],
    add: (text, done) => toNote(add.all(text, done ? 1 : 0)[0]),
    close: () => database.close(),
  }
}
