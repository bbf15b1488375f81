import { StateError } from '../errors.ts'
import type { Listeners, Subscriber } from '../waking.ts'

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

/** Opens a connection of the pool that hears of the notifications of all logs; a broken one is replaced. */
export async function subscriberOf(
  pool: PostgresPool,
  channel: string,
  { wake, wakeAll }: Listeners,
): Promise<Subscriber> {
  let current: PostgresConnection | null = null
  let retry: NodeJS.Timeout | undefined
  let isClosed = false
  const open = async (): Promise<void> => {
    const connection = await pool.connect()
    const broke = (): void => {
      if (current !== connection) return
      current = null
      connection.release(true)
      reopen()
    }
    connection.on('notification', ({ payload }) => wake(payload ?? ''))
    connection.on('error', broke)
    connection.on('end', broke)
    try {
      await connection.query(`listen ${channel}`)
      if (isClosed) throw new Error('closed meanwhile')
    } catch (error) {
      connection.release(true)
      throw error
    }
    current = connection
  }
  const reopen = (): void => {
    if (isClosed) return
    retry = setTimeout(() => void open().then(wakeAll, reopen), RETRY_MS)
    retry.unref()
  }
  await open()
  return {
    subscribe: async () => {},
    unsubscribe: async () => {},
    disconnect() {
      isClosed = true
      clearTimeout(retry)
      const last = current
      current = null
      last?.release(true)
    },
  }
}
