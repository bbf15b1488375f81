import { randomUUID } from 'node:crypto'

import { cursorOf, cursorText, emptyPage, isGone } from '../cursor.ts'
import { takeResult } from '../gcra.ts'
import { assertStateOptions, guardState, STATE_RULES } from '../guarded-state.ts'
import { isRecord, rule, RULES } from '../options.ts'
import type {
  KeepOptions,
  LogPage,
  PutOptions,
  State,
  StateEntry,
  StateOptions,
  TakeResult,
  TakeRule,
} from '../types.ts'
import { assertPool, PostgresWaking, type PostgresPool, type PostgresResult } from './client.ts'
import { postgresTables, statementsOf, tablesOf, type Tables } from './tables.ts'

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
  const store = new PostgresStore(pool, tables, createTables)
  return guardState(store, deadlineMs === undefined ? {} : { deadlineMs })
}

class PostgresStore implements State {
  readonly #pool: PostgresPool
  readonly #name: string
  readonly #createsTables: boolean
  readonly #tables: Tables
  readonly #statements: ReturnType<typeof statementsOf>
  readonly #waking: PostgresWaking
  #prepared: Promise<void> | null = null
  #sweptAt = performance.now()

  constructor(pool: PostgresPool, name: string, createsTables: boolean) {
    this.#pool = pool
    this.#name = name
    this.#createsTables = createsTables
    this.#tables = tablesOf(name)
    this.#statements = statementsOf(this.#tables)
    this.#waking = new PostgresWaking(pool, this.#tables.channel)
  }

  async ready(): Promise<void> {
    this.#prepared ??= this.#prepare()
    try {
      await this.#prepared
    } catch (error) {
      this.#prepared = null
      throw error
    }
  }

  async get(key: string): Promise<StateEntry | null> {
    const row = first(await this.#run('get', key))
    return row === null ? null : { value: String(row['value']), version: String(row['version']) }
  }

  async put(key: string, value: string, { ttlMs, if: condition }: PutOptions): Promise<string | null> {
    const version = randomUUID()
    const values = [key, value, version, ttlMs]
    const { rowCount } = await (typeof condition === 'object'
      ? this.#run('putVersion', ...values, condition.version)
      : this.#run(condition === 'absent' ? 'putAbsent' : 'put', ...values))
    return rowCount === 1 ? version : null
  }

  async delete(key: string, version?: string): Promise<boolean> {
    return (await this.#run('delete', key, version ?? null)).rowCount === 1
  }

  async take(key: string, cost: number, rule: TakeRule): Promise<TakeResult> {
    const row = first(await this.#run('take', key, cost, rule.max, rule.perMs))
    return takeResult(row?.['allowed'] === true, Number(row?.['free_at']), Number(row?.['now']), cost, rule)
  }

  async append(log: string, value: string, { count, ms }: KeepOptions): Promise<string> {
    const row = first(await this.#run('append', log, value, count, ms))
    return cursorText({ epoch: Number(row?.['epoch']), number: Number(row?.['last']) })
  }

  async read(log: string, after: string | null, limit: number): Promise<LogPage> {
    const cursor = after === null ? null : cursorOf(after)
    const { rows } = await this.#run('read', log, cursor?.epoch ?? null, cursor?.number ?? null, limit)
    const found = rows.filter(isRecord)
    const [head] = found
    if (head === undefined) return emptyPage(after)
    const epoch = Number(head['epoch'])
    const last = { epoch, number: Number(head['last']) }
    const entries = found
      .filter((row) => row['number'] !== null)
      .map((row) => ({
        id: cursorText({ epoch, number: Number(row['number']) }),
        value: String(row['value']),
      }))
    const oldest = head['first'] === null ? last.number + 1 : Number(head['first'])
    return { entries, gone: isGone(after, last, oldest), last: cursorText(last) }
  }

  async wake(log: string, listener: () => void): Promise<() => void> {
    await this.ready()
    return this.#waking.add(log, listener)
  }

  close(): Promise<void> {
    return this.#waking.close()
  }

  async #run(name: keyof ReturnType<typeof statementsOf>, ...values: unknown[]): Promise<PostgresResult> {
    await this.ready()
    const result = await this.#pool.query(this.#statements[name], values)
    if (name !== 'get' && name !== 'read') this.#sweep()
    return result
  }

  async #prepare(): Promise<void> {
    const { values, limits, logs, entries } = this.#tables
    const names = [values, limits, logs, entries]
    const { rows } = await this.#pool.query(
      'select name from unnest($1::text[]) as name where to_regclass(name) is null',
      [names],
    )
    const missing = rows.filter(isRecord).map((row) => String(row['name']))
    if (missing.length > 0) await this.#create(missing)
    // Fails where the role may not write, and on a standby.
    await this.#pool.query(`delete from ${values} where false`)
  }

  async #create(missing: readonly string[]): Promise<void> {
    if (!this.#createsTables)
      throw new Error(`there is no table ${missing.join(', ')}: create it with postgresTables`)
    // One transaction, as it has no parameters. Two processes that create at once would fail without the lock.
    const lock = `select pg_advisory_xact_lock(hashtext('${this.#name}'))`
    await this.#pool.query(`${lock}; ${postgresTables(this.#name)}`)
  }

  /** Removes expired rows; a failure shows in the next operation. */
  #sweep(): void {
    const now = performance.now()
    if (now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    const { values, limits, logs } = this.#tables
    for (const [table, key] of [
      [values, 'key'],
      [limits, 'key'],
      [logs, 'log'],
    ])
      void this.#pool
        .query(
          `delete from ${table} where ${key} in (select ${key} from ${table} where expires <= clock_timestamp() limit 10000 for update skip locked)`,
        )
        .catch(() => {})
  }
}

function first({ rows }: PostgresResult): Readonly<Record<string, unknown>> | null {
  const [row] = rows
  return isRecord(row) ? row : null
}
