import type { Guard } from '../hooks/hook-entry.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import { HIJACKED, SENT, type ReplyState } from './state.ts'
import { writeLine } from './write-line.ts'

/**
 * The values that guards have taken for one request, and give back once, in reverse order: when the exchange is over,
 * the path has ended, and no hook, handler or source of content runs that may still use them. A client that leaves ends
 * the exchange, and the path runs on with the values.
 */
export class HeldValues {
  readonly #reply: ReplyState
  readonly #values: { readonly guard: Guard; readonly value: unknown }[] = []
  #isOver: boolean = false
  #isReleasing: boolean = false
  /** hooks, handlers and sources whose promise has not settled */
  #users = 0

  constructor(reply: ReplyState) {
    this.#reply = reply
    // An injected exchange is over within `send`, while the function that has sent still runs.
    reply[kExchange].onFinished(() =>
      queueMicrotask(() => {
        this.#isOver = true
        this.settle()
      }),
    )
  }

  /** The names of the guards whose values are held. */
  get names(): readonly string[] {
    return this.#values.map(({ guard }) => guard.name)
  }

  add(guard: Guard, value: unknown): void {
    this.#values.push({ guard, value })
    this.#reply[kPlan].app.releases.add(this)
  }

  /** Notes that a function runs which may use the values. */
  enter(): void {
    this.#users++
  }

  /** Notes that it has ended. */
  leave(): void {
    this.#users--
    this.settle()
  }

  /** Keeps the values until a promise has settled, whose rejection others report. */
  keepFor(running: Promise<unknown>): void {
    this.enter()
    const leave = (): void => this.leave()
    void running.then(leave, leave)
  }

  /**
   * Gives the values back if nothing can use them any more.
   *
   * @param isClosing - the app closes: a path whose handler has sent nothing to a client that has gone has ended too
   */
  settle(isClosing: boolean = false): void {
    if (!this.#isOver || this.#users > 0 || this.#isReleasing) return
    if (!isClosing && !this.#hasEnded) return
    this.#isReleasing = true
    void this.#release()
  }

  /** A response on the raw object ends the path without `send`. */
  get #hasEnded(): boolean {
    const { [kState]: state, [kExchange]: exchange } = this.#reply
    return state.phase === SENT || state.phase === HIJACKED || exchange.turn.hasBegun
  }

  async #release(): Promise<void> {
    const reply = this.#reply
    for (let held = this.#values.at(-1); held !== undefined; held = this.#values.at(-1)) {
      const { guard, value } = held
      try {
        await guard.release?.call(guard.owner.instance, value, reply.request)
      } catch (err) {
        const place = `the guard '${guard.name}', added at ${guard.callSite.toString()}`
        writeLine(reply, 'error', err, `${place}, could not give its value back`)
      }
      this.#values.splice(this.#values.indexOf(held), 1)
    }
    this.#isReleasing = false
    reply[kPlan].app.releases.delete(this)
  }
}

/** The requests whose guards hold values; closing the app waits until they have given them back. */
export class Releases {
  readonly #open = new Set<HeldValues>()
  #whenEmpty: (() => void) | null = null

  add(held: HeldValues): void {
    this.#open.add(held)
  }

  delete(held: HeldValues): void {
    this.#open.delete(held)
    if (this.#open.size === 0) this.#whenEmpty?.()
  }

  /** The names of the guards whose values are held. */
  get names(): readonly string[] {
    return [...new Set([...this.#open].flatMap(({ names }) => names))]
  }

  /** Resolves when all values are given back; called when the app closes. */
  async settled(): Promise<void> {
    for (const held of this.#open) held.settle(true)
    if (this.#open.size === 0) return
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve
    })
  }
}
