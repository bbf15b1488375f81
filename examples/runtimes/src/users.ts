/** A user. */
export interface User {
  readonly id: number
  readonly name: string
}

/** Where users are kept. */
export interface Users {
  find(id: number): Promise<User | undefined>
  save(user: User): Promise<void>
}

const FIND = 'SELECT id, name FROM users WHERE id = ?'
const SAVE = 'INSERT INTO users (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name'
const FIRST: User = { id: 1, name: 'ada' }

/** The table of both SQL stores. */
export const SCHEMA = 'CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)'

/** Keeps users in the memory of one process, and of one worker: they are gone when it is, and others have their own. */
export function memoryUsers(): Users {
  const users = new Map([[FIRST.id, FIRST]])
  return {
    find: async (id) => users.get(id),
    save: async (user) => void users.set(user.id, user),
  }
}

/** The part of a database that `node:sqlite` (Node, Deno) and `bun:sqlite` have in common. */
export interface SqliteDatabase {
  prepare(sql: string): { get(...values: unknown[]): unknown; run(...values: unknown[]): unknown }
}

/** Keeps users in a file of SQLite. */
export function sqliteUsers(database: SqliteDatabase): Users {
  database.prepare(SCHEMA).run()
  const find = database.prepare(FIND)
  const save = database.prepare(SAVE)
  save.run(FIRST.id, FIRST.name)
  return {
    find: async (id) => toUser(find.get(id)),
    save: async ({ id, name }) => void save.run(id, name),
  }
}

/** The part of Cloudflare's D1 that is used; projects there have `@cloudflare/workers-types`. */
export interface D1Database {
  prepare(sql: string): {
    bind(...values: unknown[]): { first(): Promise<unknown>; run(): Promise<unknown> }
  }
}

/** Keeps users in D1; its table is made by a migration. */
export function d1Users(database: D1Database): Users {
  return {
    find: async (id) => toUser(await database.prepare(FIND).bind(id).first()),
    save: async ({ id, name }) => void (await database.prepare(SAVE).bind(id, name).run()),
  }
}

function toUser(row: unknown): User | undefined {
  if (typeof row !== 'object' || row === null || !('id' in row) || !('name' in row)) return undefined
  return { id: Number(row.id), name: String(row.name) }
}
