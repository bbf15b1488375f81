import { memoryState, type State, type StateEntry } from '@cloister/state'
import type { World } from './world.ts'

interface Kept extends StateEntry {
  readonly expires: number
}

interface Change {
  readonly at: number
  readonly key: string
  readonly before: Kept | undefined
}

/** A store of values that can be down, and fail over to a replica that has not got the last changes. */
export class ModelStore {
  readonly state: State
  readonly #world: World
  readonly #values = new Map<string, Kept>()
  #changes: Change[] = []
  #version = 0

  constructor(world: World) {
    this.#world = world
    this.state = Object.assign(memoryState({ now: () => world.now }), this.#operations())
  }

  #operations(): Pick<State, 'get' | 'put' | 'delete'> {
    return {
      get: async (key) => this.#alive(key) ?? null,
      put: async (key, value, { ttlMs, if: condition }) => {
        const kept = this.#alive(key)
        if (condition === 'absent' && kept !== undefined) return null
        if (typeof condition === 'object' && kept?.version !== condition.version) return null
        const version = String(++this.#version)
        this.#change(key, { value, version, expires: this.#world.now + ttlMs })
        return version
      },
      delete: async (key, version) => {
        const kept = this.#alive(key)
        if (kept === undefined || (version !== undefined && kept.version !== version)) return false
        this.#change(key, undefined)
        return true
      },
    }
  }

  /** Undoes the changes of the last milliseconds. Returns their keys. */
  failOver(ms: number): ReadonlySet<string> {
    const from = this.#world.now - ms
    const lost = this.#changes.filter(({ at }) => at > from)
    this.#changes = this.#changes.filter(({ at }) => at <= from)
    for (const { key, before } of lost.toReversed()) this.#set(key, before)
    return new Set(lost.map(({ key }) => key))
  }

  #alive(key: string): Kept | undefined {
    const kept = this.#values.get(key)
    return kept !== undefined && kept.expires > this.#world.now ? kept : undefined
  }

  #change(key: string, after: Kept | undefined): void {
    this.#changes.push({ at: this.#world.now, key, before: this.#values.get(key) })
    this.#set(key, after)
  }

  #set(key: string, kept: Kept | undefined): void {
    if (kept === undefined) this.#values.delete(key)
    else this.#values.set(key, kept)
  }
}
