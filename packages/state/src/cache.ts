import { assertStateOptions } from './guarded-state.ts'
import { oneOf, required, RULES } from './options.ts'
import { StateError } from './errors.ts'
import type { State } from './types.ts'

/** Options of {@link sharedCache}. */
export interface SharedCacheOptions<Value> {
  /** The name of the cache, which keeps its keys apart from those of others. */
  readonly name: string
  /** How long a value is kept, in milliseconds. */
  readonly ttlMs: number
  /**
   * Loads the value of a key. All callers get what JSON keeps of it: a date as text, for example. What it throws reaches
   * all that wait in this process, and is not kept.
   */
  readonly load: (key: string) => Promise<Value> | Value
  /**
   * How long other processes wait for one that loads, in milliseconds; then another one loads.
   *
   * @default 10_000
   */
  readonly loadMs?: number
  /**
   * What happens while the state fails: each process loads, or `get` rejects.
   *
   * @default 'load'
   */
  readonly onStateFailure?: 'load' | 'refuse'
}

/** A cache that processes share. */
export interface SharedCache<Value> {
  /** Returns the value of a key, a copy for each caller. Of all that ask at once, in all processes, one loads it. */
  get(key: string): Promise<Value>
  /** Removes the value of a key; a load that has begun is not kept. */
  forget(key: string): Promise<void>
}

const OPTIONS = {
  name: required(RULES.text),
  ttlMs: required(RULES.ms),
  load: required(RULES.fn),
  loadMs: RULES.ms,
  onStateFailure: oneOf('load', 'refuse'),
}

/** How often a process that waits for another looks. */
const LOOK_MS = 25

/**
 * Creates a cache that all processes share, with one load for many that wait.
 *
 * @throws {@link StateError} `CLO_ERR_STATE_OPTION`
 *
 * @example
 * ```ts
 * import { memoryState, sharedCache } from '@cloister/state'
 *
 * const prices = sharedCache(memoryState(), {
 *   name: 'prices',
 *   ttlMs: 60_000,
 *   load: async (symbol) => ({ symbol, bid: 1 }),
 * })
 * console.log(await prices.get('X'))
 * ```
 */
export function sharedCache<Value>(state: State, options: SharedCacheOptions<Value>): SharedCache<Value> {
  assertStateOptions(options, OPTIONS)
  return new StateCache(state, options)
}

/** What a key has that a process loads. */
const LOADING = ''

class StateCache<Value> implements SharedCache<Value> {
  readonly #state: State
  readonly #options: SharedCacheOptions<Value>
  /** the texts of values, of which each caller gets a copy */
  readonly #waiting = new Map<string, Promise<string>>()

  constructor(state: State, options: SharedCacheOptions<Value>) {
    this.#state = state
    this.#options = options
  }

  async get(key: string): Promise<Value> {
    const kept: unknown = JSON.parse(await (this.#waiting.get(key) ?? this.#wait(key)))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a value of this cache is what `load` returned
    return Reflect.get(Object(kept), 'value') as Value
  }

  async forget(key: string): Promise<void> {
    await this.#state.delete(this.#key(key))
    this.#waiting.delete(key)
  }

  #key(key: string): string {
    return `cache:${JSON.stringify([this.#options.name, key])}`
  }

  #wait(key: string): Promise<string> {
    const found = this.#find(key).finally(() => {
      if (this.#waiting.get(key) === found) this.#waiting.delete(key)
    })
    this.#waiting.set(key, found)
    return found
  }

  async #find(key: string): Promise<string> {
    const { loadMs = 10_000 } = this.#options
    for (;;) {
      const claimed = await this.#attempt(() => this.#claim(key, loadMs))
      if (claimed === null) return this.#loadText(key)
      if (claimed.version !== null) return this.#load(key, claimed.version)
      if (claimed.text !== LOADING) return claimed.text
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_MS)
      })
    }
  }

  /** Reads the value, or claims the key to load it. */
  async #claim(key: string, loadMs: number): Promise<{ version: string | null; text: string }> {
    const entry = await this.#state.get(this.#key(key))
    if (entry !== null) return { version: null, text: entry.value }
    const version = await this.#state.put(this.#key(key), LOADING, { ttlMs: loadMs, if: 'absent' })
    return { version, text: LOADING }
  }

  /** Loads the value. It is kept only if the key still has the claim: not after `forget`, and not after `loadMs`. */
  async #load(key: string, version: string): Promise<string> {
    const { ttlMs } = this.#options
    try {
      const text = await this.#loadText(key)
      await this.#attempt(() => this.#state.put(this.#key(key), text, { ttlMs, if: { version } }))
      return text
    } catch (error) {
      await this.#state.delete(this.#key(key), version).catch(() => {})
      throw error
    }
  }

  /** @throws StateError `CLO_ERR_STATE_VALUE` for a value that has no JSON */
  async #loadText(key: string): Promise<string> {
    const { name, load } = this.#options
    const value = await load(key)
    try {
      return JSON.stringify({ value })
    } catch (error) {
      const message = `the cache '${name}' can't keep what 'load' returned, which has no JSON`
      throw new StateError('CLO_ERR_STATE_VALUE', message, { cause: error })
    }
  }

  /** Returns `null` if the state fails and the cache goes on without it. */
  async #attempt<T>(run: () => Promise<T>): Promise<T | null> {
    try {
      return await run()
    } catch (error) {
      const isOfState = error instanceof StateError && error.statusCode === 503
      if (!isOfState || this.#options.onStateFailure === 'refuse') throw error
      return null
    }
  }
}
