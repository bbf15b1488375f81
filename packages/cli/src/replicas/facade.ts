import { connect, createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from './caller.ts'
import type { Replicas } from './replicate.ts'
import { memberOf } from './settings.ts'

/** The members of an app that the facade replaces. */
export interface AppLike {
  readonly inject: (...given: readonly unknown[]) => unknown
  readonly ready: (...given: readonly unknown[]) => unknown
  readonly close: (...given: readonly unknown[]) => unknown
  readonly listen: (...given: readonly unknown[]) => unknown
}

/** Makes an app in the place of one that ends; `null` if they cannot be made again. */
export type MakeOne = ((id: string) => Promise<unknown>) | null

/** Whether a value is an app; its members are read only if it is an object. */
export function isAppLike(value: unknown): value is AppLike {
  return ['inject', 'ready', 'close', 'listen'].every((name) => typeof memberOf(value, name) === 'function')
}

/** One request in so many restarts a replica before. */
const RESTARTS = 5
/** One request in so many is slow, by at most so many milliseconds. */
const SLOWS = 4
const SLOW_MS = 8

/**
 * Returns an app that passes each request to one of several, chosen by the seed; now and then one is restarted, or
 * slow. What the test calls on it otherwise, it calls on all.
 */
export function facadeOf(apps: readonly unknown[], makeOne: MakeOne, replicas: Replicas): AppLike {
  return new Facade(apps.filter(isAppLike), makeOne, replicas).app
}

class Facade {
  readonly app: AppLike
  readonly #apps: AppLike[]
  readonly #makeOne: MakeOne
  readonly #replicas: Replicas
  readonly #number: number
  readonly #calls: { readonly name: PropertyKey; readonly given: readonly unknown[] }[] = []
  readonly #open: number[]
  #state: number
  #restarts = 0
  #balancer: Server | null = null

  constructor(apps: AppLike[], makeOne: MakeOne, replicas: Replicas) {
    const [first] = apps
    if (first === undefined) throw new Error('no app was made')
    this.#apps = apps
    this.#makeOne = makeOne
    this.#replicas = replicas
    this.#number = replicas.apps++
    this.#open = apps.map(() => 0)
    this.#state = (replicas.settings.seed * 7919 + this.#number * 104_729) % 2_147_483_647
    this.app = new Proxy(first, { get: (target, name) => this.#read(target, name) })
  }

  #read(target: AppLike, name: PropertyKey): unknown {
    if (name === 'inject' || name === 'fetch') return (...given: unknown[]) => this.#ask(name, given)
    if (name === 'close') return (...given: unknown[]) => this.#close(given)
    if (name === 'ready') return (...given: unknown[]) => this.#onAll('ready', given)
    if (name === 'listen') return (...given: unknown[]) => this.#listen(given)
    if (name === 'server' && this.#balancer !== null) return this.#balancer
    const value: unknown = Reflect.get(target, name)
    if (typeof value !== 'function' || this.#apps.length === 1) return value
    return (...given: unknown[]) => this.#callAll(name, given)
  }

  /** A number below `most`, the same in each run with one seed. */
  #below(most: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return this.#state % most
  }

  #ask(name: 'inject' | 'fetch', given: unknown[]): unknown {
    const at = callerOf()
    // Without arguments `inject` returns a chain, and with a callback nothing waits.
    if (given.length === 0 || typeof given.at(-1) === 'function') return this.#pass(name, given, at)
    return (async () => {
      await this.#disturb()
      return this.#pass(name, given, at)
    })()
  }

  #pass(name: 'inject' | 'fetch', given: unknown[], at: string): unknown {
    const replica = this.#below(this.#apps.length)
    const app = this.#apps[replica]
    const method: unknown = app === undefined ? undefined : Reflect.get(app, name)
    this.#replicas.trace({ app: this.#number, what: describe(given[0]), replica, at })
    if (app === undefined || typeof method !== 'function') throw new Error(`the app has no method ${name}`)
    const result: unknown = Reflect.apply(method, app, given)
    if (!(result instanceof Promise)) return result
    this.#open[replica] = (this.#open[replica] ?? 0) + 1
    return result.finally(() => (this.#open[replica] = (this.#open[replica] ?? 1) - 1))
  }

  async #disturb(): Promise<void> {
    if (this.#apps.length === 1) return
    if (this.#below(SLOWS) === 0) await pause(this.#below(SLOW_MS))
    if (this.#makeOne === null || this.#balancer !== null || this.#below(RESTARTS) !== 0) return
    const replica = 1 + this.#below(this.#apps.length - 1)
    if ((this.#open[replica] ?? 0) === 0) await this.#restart(replica, this.#makeOne)
  }

  async #restart(replica: number, makeOne: NonNullable<MakeOne>): Promise<void> {
    const old = this.#apps[replica]
    if (old === undefined) return
    const next = await makeOne(`${replica}-${++this.#restarts}-${this.#number}`)
    if (!isAppLike(next)) return
    for (const { name, given } of this.#calls) callOn(next, name, given)
    this.#apps[replica] = next
    this.#replicas.trace({ app: this.#number, what: 'restart', replica, at: '' })
    await old.close()
  }

  #callAll(name: PropertyKey, given: unknown[]): unknown {
    this.#calls.push({ name, given })
    const [first, ...others] = this.#apps.map((app) => callOn(app, name, given))
    for (const one of others) if (one instanceof Promise) one.catch(() => {})
    return isAppLike(first) ? this.app : first
  }

  async #onAll(name: 'ready' | 'close', given: readonly unknown[]): Promise<unknown> {
    const done = given.at(-1)
    try {
      await Promise.all(this.#apps.map((app) => app[name]()))
    } catch (error) {
      if (typeof done !== 'function') throw error
      Reflect.apply(done, undefined, [error])
      return undefined
    }
    if (typeof done === 'function') Reflect.apply(done, undefined, [null])
    return this.app
  }

  async #close(given: readonly unknown[]): Promise<unknown> {
    this.#balancer?.close()
    return this.#onAll('close', given)
  }

  /** Each replica listens on a port of its own; connections to the one that the test has asked for are spread. */
  async #listen(given: readonly unknown[]): Promise<unknown> {
    const [options, done] = given
    const at = callerOf()
    if (this.#apps.length === 1) return callOn(this.#apps[0], 'listen', given)
    await Promise.all(this.#apps.map((app) => app.listen({ port: 0, host: '127.0.0.1' })))
    const balancer = createServer((client) => {
      const replica = this.#below(this.#apps.length)
      this.#replicas.trace({ app: this.#number, what: 'a connection', replica, at })
      const target = connect(portOf(this.#apps[replica]), '127.0.0.1')
      client.pipe(target).pipe(client)
      for (const [one, other] of [
        [client, target],
        [target, client],
      ] as const) {
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
    })
    const port = Number(memberOf(options, 'port') ?? 0)
    const host = String(memberOf(options, 'host') ?? '127.0.0.1')
    await new Promise<void>((resolve) => balancer.listen(port, host, resolve))
    this.#balancer = balancer
    const address = `http://${host}:${portOf({ server: balancer })}`
    const tell: unknown = typeof options === 'function' ? options : done
    if (typeof tell === 'function') Reflect.apply(tell, undefined, [null, address])
    return address
  }
}

function callOn(app: unknown, name: PropertyKey, given: readonly unknown[]): unknown {
  const method = memberOf(app, name)
  return typeof method === 'function' ? Reflect.apply(method, app, given) : undefined
}

function portOf(app: unknown): number {
  const server = memberOf(app, 'server')
  return Number(memberOf(callOn(server, 'address', []), 'port') ?? 0)
}

/** Names a request as `GET /notes`. */
function describe(given: unknown): string {
  if (typeof given === 'string') return `GET ${given}`
  const method = String(memberOf(given, 'method') ?? 'GET')
  const target = memberOf(given, 'url') ?? memberOf(given, 'path') ?? '/'
  const text = typeof target === 'string' ? target : JSON.stringify(target)
  return `${method} ${text.replace(/^https?:\/\/[^/]+/, '')}`
}
