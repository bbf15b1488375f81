import { StateError } from '../errors.ts'

/** What is used of the result of a query. */
export interface PostgresResult {
  /** The rows. */
  readonly rows: readonly unknown[]
  /** How many rows were written or read. */
  readonly rowCount: number | null
}

/** What is used of a connection of a pool of `pg`. */
export interface PostgresConnection {
  /** Sends a statement. */
  query(text: string): Promise<unknown>
  /** Adds a listener. */
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown
  /** Adds a listener. */
  on(event: 'error' | 'end', listener: () => void): unknown
  /** Gives the connection back, or closes it. */
  release(destroy: boolean): void
}

/** What is used of a pool of `pg`. */
export interface PostgresPool {
  /** Sends a statement with parameters. */
  query(text: string, values?: unknown[]): Promise<PostgresResult>
  /** Takes a connection. */
  connect(): Promise<PostgresConnection>
}

/** @throws StateError `CLO_ERR_STATE_OPTION` for an object that is no pool */
export function assertPool(pool: unknown): asserts pool is PostgresPool {
  if (typeof pool === 'object' && pool !== null && 'query' in pool && 'totalCount' in pool) return
  throw new StateError('CLO_ERR_STATE_OPTION', "postgresState needs a Pool of 'pg'")
}

/** How long a broken connection rests before the next one. */
const RETRY_MS = 1000

/** Hears of notifications, over one connection of the pool. */
export class PostgresWaking {
  readonly #pool: PostgresPool
  readonly #channel: string
  readonly #listeners = new Map<string, Set<() => void>>()
  #opened: Promise<PostgresConnection> | null = null
  #retry: NodeJS.Timeout | undefined

  constructor(pool: PostgresPool, channel: string) {
    this.#pool = pool
    this.#channel = channel
  }

  async add(log: string, listener: () => void): Promise<() => void> {
    const own = (): void => listener()
    const listeners = this.#listeners.get(log) ?? new Set()
    this.#listeners.set(log, listeners.add(own))
    const remove = (): void => {
      listeners.delete(own)
      if (listeners.size === 0 && this.#listeners.get(log) === listeners) this.#listeners.delete(log)
    }
    this.#opened ??= this.#open()
    try {
      await this.#opened
    } catch (error) {
      remove()
      throw error
    }
    return remove
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    clearTimeout(this.#retry)
    const opened = this.#opened
    this.#opened = null
    await opened?.then(
      (connection) => connection.release(true),
      () => {},
    )
  }

  #open(): Promise<PostgresConnection> {
    const opened = this.#listen((connection) => {
      if (this.#opened !== opened) return
      this.#opened = null
      connection.release(true)
      this.#reopen()
    })
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = null
    })
    return opened
  }

  async #listen(broke: (connection: PostgresConnection) => void): Promise<PostgresConnection> {
    const connection = await this.#pool.connect()
    connection.on('notification', ({ payload }) => this.#wake(payload ?? ''))
    connection.on('error', () => broke(connection))
    connection.on('end', () => broke(connection))
    try {
      await connection.query(`listen ${this.#channel}`)
    } catch (error) {
      connection.release(true)
      throw error
    }
    return connection
  }

  /** Opens the next connection, and wakes all, since notifications may have been lost meanwhile. */
  #reopen(): void {
    this.#retry = setTimeout(() => {
      if (this.#listeners.size === 0) return
      this.#opened ??= this.#open()
      this.#opened.then(
        () => {
          for (const log of this.#listeners.keys()) this.#wake(log)
        },
        () => this.#reopen(),
      )
    }, RETRY_MS)
    this.#retry.unref()
  }

  #wake(log: string): void {
    for (const listener of this.#listeners.get(log) ?? []) listener()
  }
}
