import { randomUUID } from 'node:crypto'

import { cursorOf, cursorText, pageOf } from '../cursor.ts'
import { takeResult } from '../gcra.ts'
import { assertStateOptions, guarded, STATE_RULES } from '../guarded-state.ts'
import { isRecord, rule, RULES } from '../options.ts'
import type { State, StateOptions } from '../types.ts'
import { Waking } from '../waking.ts'
import { assertPool, subscriberOf, type PostgresPool, type PostgresResult } from './client.ts'
import { postgresTables, statementsOf, tablesOf, type Statements, type Tables } from './tables.ts'

/** Options of {@link postgresState}. */
export interface PostgresStateOptions extends StateOptions {
  /**
   * The beginning of the names of the tables, perhaps behind a schema: `app.cloister_state`.
   *
   * @default 'cloister_state'
   */
  readonly tables?: string
  /**
   * Whether missing tables are created; if not, create them with `postgresTables`.
   *
   * @default true
   */
  readonly createTables?: boolean
}

const OPTIONS = {
  ...STATE_RULES,
  tables: rule('a name in lower case, perhaps behind a schema', (value) =>
    /^(?:[a-z_][a-z0-9_]{0,39}\.)?[a-z_][a-z0-9_]{0,39}$/.test(String(value)),
  ),
  createTables: RULES.flag,
}

/** How often expired rows are removed, at most. */
const SWEEP_MS = 60_000

/**
 * Creates a state in Postgres 12 or later, with the pool of the app. Each operation is one statement; time is that of
 * the store. `wake` takes one connection of the pool.
 *
 * @param pool - a `Pool` of `pg`, to the primary server
 * @throws {@link StateError} `CLO_ERR_STATE_OPTION`
 *
 * @example
 * ```ts fragment
 * import { postgresState } from '@cloister/state'
 * import { Pool } from 'pg'
 *
 * const state = postgresState(new Pool({ connectionString: process.env.DATABASE_URL }))
 * ```
 */
export function postgresState(pool: PostgresPool, options: PostgresStateOptions = {}): State {
  assertPool(pool)
  assertStateOptions(options, OPTIONS)
  const { deadlineMs, tables = 'cloister_state', createTables = true } = options
  return guarded(postgresStore(pool, tables, createTables), deadlineMs)
}

/** Runs a statement, after the tables were prepared. */
type Run = (name: keyof Statements, ...values: unknown[]) => Promise<PostgresResult>

function postgresStore(pool: PostgresPool, name: string, createsTables: boolean): State {
  const tables = tablesOf(name)
  const statements = statementsOf(tables)
  const waking = new Waking((listeners) => subscriberOf(pool, tables.channel, listeners))
  let prepared: Promise<void> | null = null
  let sweptAt = performance.now()

  /** Prepares the tables once; a failed try is not the last. */
  const prepare = async (): Promise<void> => {
    prepared ??= prepareTables(pool, name, tables, createsTables)
    try {
      await prepared
    } catch (error) {
      prepared = null
      throw error
    }
  }
  const run: Run = async (statement, ...values) => {
    await prepare()
    const result = await pool.query(statements[statement], values)
    const now = performance.now()
    if (now - sweptAt >= SWEEP_MS) {
      sweptAt = now
      // A failure shows in the next operation.
      pool.query(statements.sweep).catch(() => {})
    }
    return result
  }
  return {
    ...valuesOver(run),
    ...logsOver(run),
    async ready() {
      await prepare()
      // Fails where the role may not write, and on a standby.
      await pool.query(`delete from ${tables.values} where false`)
    },
    async wake(log, listener) {
      await prepare()
      return waking.add(log, listener)
    },
    close: () => waking.close(),
  }
}

function valuesOver(run: Run): Pick<State, 'get' | 'put' | 'delete' | 'take'> {
  return {
    async get(key) {
      const row = first(await run('get', key))
      return row === null ? null : { value: String(row['value']), version: String(row['version']) }
    },

    async put(key, value, { ttlMs, if: condition }) {
      const version = randomUUID()
      const values = [key, value, version, ttlMs]
      const { rowCount } = await (typeof condition === 'object'
        ? run('putVersion', ...values, condition.version)
        : run(condition === 'absent' ? 'putAbsent' : 'put', ...values))
      return rowCount === 1 ? version : null
    },

    async delete(key, version) {
      return (await run('delete', key, version ?? null)).rowCount === 1
    },

    async take(key, cost, given) {
      const row = first(await run('take', key, cost, given.max, given.perMs))
      return takeResult(
        row?.['allowed'] === true,
        Number(row?.['free_at']),
        Number(row?.['now']),
        cost,
        given,
      )
    },
  }
}

function logsOver(run: Run): Pick<State, 'append' | 'read'> {
  return {
    async append(log, value, { count, ms }) {
      const row = first(await run('append', log, value, count, ms))
      return cursorText({ epoch: Number(row?.['epoch']), number: Number(row?.['last']) })
    },

    async read(log, after, limit) {
      const cursor = after === null ? null : cursorOf(after)
      const result = await run('read', log, cursor?.epoch ?? null, cursor?.number ?? null, limit)
      const head = first(result)
      if (head === null) return pageOf(after, null, 1, [])
      const epoch = Number(head['epoch'])
      const entries = result.rows
        .filter(isRecord)
        .filter(({ number }) => number !== null)
        .map(({ number, value }) => ({
          id: cursorText({ epoch, number: Number(number) }),
          value: String(value),
        }))
      const number = Number(head['last'])
      const oldest = head['first'] === null ? number + 1 : Number(head['first'])
      return pageOf(after, { epoch, number }, oldest, entries)
    },
  }
}

async function prepareTables(
  pool: PostgresPool,
  name: string,
  { values, limits, logs, entries }: Tables,
  createsTables: boolean,
): Promise<void> {
  const { rows } = await pool.query(
    'select name from unnest($1::text[]) as name where to_regclass(name) is null',
    [[values, limits, logs, entries]],
  )
  if (rows.length === 0) return
  const missing = rows.filter(isRecord).map((row) => row['name'])
  if (!createsTables)
    throw new Error(`there is no table ${missing.join(', ')}: create it with postgresTables`)
  // One transaction, as it has no parameters. Two processes that create at once would fail without the lock.
  const lock = `select pg_advisory_xact_lock(hashtext('${name}'))`
  await pool.query(`${lock}; ${postgresTables(name)}`)
}

function first({ rows }: PostgresResult): Readonly<Record<string, unknown>> | null {
  const [row] = rows
  return isRecord(row) ? row : null
}
