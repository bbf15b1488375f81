import { isFunction, type AnyFunction } from '../guards.ts'

interface Entry {
  readonly event: unknown
  readonly listener: AnyFunction
  readonly isOnce: boolean
}

/** An event emitter with the interface of Node's `EventEmitter`, for platforms without Node. */
export class Emitter {
  readonly #entries: Entry[] = []

  on(event: unknown, listener: unknown): this {
    return this.#add(event, listener, false)
  }

  once(event: unknown, listener: unknown): this {
    return this.#add(event, listener, true)
  }

  off(event: unknown, listener: unknown): this {
    const index = this.#entries.findIndex((one) => one.event === event && one.listener === listener)
    if (index !== -1) this.#entries.splice(index, 1)
    return this
  }

  emit(event: unknown, ...args: readonly unknown[]): boolean {
    const called = this.#entries.filter((entry) => entry.event === event)
    for (const { listener, isOnce } of called) {
      if (isOnce) this.off(event, listener)
      listener(...args)
    }
    return called.length > 0
  }

  listenerCount(event: unknown): number {
    return this.#entries.filter((entry) => entry.event === event).length
  }

  #add(event: unknown, listener: unknown, isOnce: boolean): this {
    if (isFunction(listener)) this.#entries.push({ event, listener, isOnce })
    return this
  }
}
