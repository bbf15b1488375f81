/** A value with the version that its last `put` gave it. */
export interface StateEntry {
  /** The value: a text. */
  readonly value: string
  /** The version: another one after each `put`, also after the key was deleted. Opaque. */
  readonly version: string
}

/** How a value is put. */
export interface PutOptions {
  /** After how many milliseconds, by the clock of the store, the key is absent again. */
  readonly ttlMs: number
  /** Puts only if the key is absent, or has a version. By default, always. */
  readonly if?: 'absent' | { readonly version: string }
}

/** A rule of {@link State.take}: the generic cell rate algorithm (GCRA), one number for each key. */
export interface TakeRule {
  /** The most that can be taken at once. */
  readonly max: number
  /** The milliseconds in which as much becomes free again, evenly. */
  readonly perMs: number
}

/** What {@link State.take} returns. */
export interface TakeResult {
  /** Whether it was taken. */
  readonly allowed: boolean
  /** How much more can be taken now. */
  readonly remaining: number
  /** The milliseconds until a refused cost would be allowed; after an allowed one, until all is free again. */
  readonly resetMs: number
}

/** How much of a log is kept; an append removes the rest. */
export interface KeepOptions {
  /** The most entries. */
  readonly count: number
  /** The milliseconds that an entry is kept. A log without a new entry for as long is removed. */
  readonly ms: number
}

/** An entry of a log. */
export interface LogEntry {
  /** The id: the cursor behind this entry. Opaque. */
  readonly id: string
  /** The appended value. */
  readonly value: string
}

/** What {@link State.read} returns. */
export interface LogPage {
  /** The entries behind the cursor, in the order in which they were appended. */
  readonly entries: readonly LogEntry[]
  /**
   * Whether entries behind the cursor may be missing: they were removed, or the log was lost. The entries of such a page
   * are the oldest that are kept.
   */
  readonly gone: boolean
  /** The cursor behind the newest entry of the log; `LOG_START` if there is no such log. */
  readonly last: string
}

/**
 * State that several processes share: a handful of atomic operations. `memoryState`, `redisState` and `postgresState`
 * have them; `@cloister/state/conformance` checks another store.
 *
 * Keys and names of logs are any text but the empty one; those that are long or not printable ASCII are stored by their
 * SHA-256 hash. Values are texts of at most 1 MiB without U+0000 and lone surrogates, such as all JSON is.
 *
 * Operations on one key are linearizable. Each operation rejects with {@link StateError}
 * `CLO_ERR_STATE_FAILED` if the store fails, and `CLO_ERR_STATE_DEADLINE` if it does not respond in time; a change may
 * then have happened or not.
 */
export interface State {
  /**
   * Checks that the store responds, and creates what it needs there. Apps call it at boot.
   *
   * @throws {@link StateError} `CLO_ERR_STATE_FAILED`, `CLO_ERR_STATE_DEADLINE`
   */
  ready(): Promise<void>
  /** Returns the value of a key with its version; `null` if it is absent. */
  get(key: string): Promise<StateEntry | null>
  /**
   * Sets the value of a key. Returns its version; `null` if the condition does not hold.
   *
   * @throws {@link StateError} `CLO_ERR_STATE_VALUE` for a value that can't be stored
   */
  put(key: string, value: string, options: PutOptions): Promise<string | null>
  /** Removes a key, or only a version of it. Returns whether it was there. */
  delete(key: string, version?: string): Promise<boolean>
  /** Takes `cost` of a key, or nothing if that would exceed the rule. Is a store for the limits of `@cloister/web`. */
  take(key: string, cost: number, rule: TakeRule): Promise<TakeResult>
  /**
   * Appends a value to a log. Readers see all entries in one order, without holes. Returns the id.
   *
   * @throws {@link StateError} `CLO_ERR_STATE_VALUE`
   */
  append(log: string, value: string, keep: KeepOptions): Promise<string>
  /**
   * Reads at most `limit` entries (1 to 1000) behind a cursor.
   *
   * @param after - an id; `LOG_START`, the cursor before the first entry; or `null` for the oldest entry that is kept,
   *   whose page has a `gone` of false
   */
  read(log: string, after: string | null, limit: number): Promise<LogPage>
  /**
   * Calls a listener soon after each append to a log, of any process. A call may be lost, so read every few seconds,
   * too; and one may come without an append. Returns a function that ends it.
   */
  wake(log: string, listener: () => void): Promise<() => void>
  /** Ends timers and the connections that this state opened; the client of the app stays open. */
  close(): Promise<void>
}

/** Options that all states have. */
export interface StateOptions {
  /**
   * After how many milliseconds an operation rejects.
   *
   * @default 2000
   */
  readonly deadlineMs?: number
}
