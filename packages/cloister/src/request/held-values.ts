import type { Guard } from '../hooks/hook-entry.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import { HIJACKED, SENT, type ReplyState } from './state.ts'
import { writeLine } from './write-line.ts'

/**
 * The values that guards have taken for one request, and give back once: when the exchange is over and the path has
 * ended, in reverse order. A client that leaves ends the exchange, and the path runs on with the values.
 */
export class HeldValues {
  readonly #reply: ReplyState
  readonly #values: { readonly guard: Guard; readonly value: unknown }[] = []
  #isOver: boolean = false

  constructor(reply: ReplyState) {
    this.#reply = reply
    reply[kExchange].onFinished(() => {
      this.#isOver = true
      this.settle()
    })
  }

  add(guard: Guard, value: unknown): void {
    this.#values.push({ guard, value })
  }

  /** Gives the values back if both ends have come. */
  settle(): void {
    const { phase } = this.#reply[kState]
    const isIdle = this.#values.length === 0
    if (isIdle || !this.#isOver || (phase !== SENT && phase !== HIJACKED)) return
    this.#reply[kPlan].app.releases.add(this.#release())
  }

  async #release(): Promise<void> {
    const reply = this.#reply
    for (let held = this.#values.pop(); held !== undefined; held = this.#values.pop()) {
      const { guard, value } = held
      try {
        await guard.release?.call(guard.owner.instance, value, reply.request)
      } catch (err) {
        const place = `the guard '${guard.name}', added at ${guard.callSite.toString()}`
        writeLine(reply, 'error', { err }, `${place}, could not give its value back`)
      }
    }
  }
}

/** The values that are being given back; closing the app waits for them. */
export class Releases {
  readonly #running = new Set<Promise<void>>()

  add(release: Promise<void>): void {
    this.#running.add(release)
    void release.finally(() => this.#running.delete(release))
  }

  /** Resolves when all values are given back. */
  async settled(): Promise<void> {
    for (const release of this.#running) await release
  }
}
