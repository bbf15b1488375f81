import { setTimeout as sleep } from 'node:timers/promises'

import type { BaseLogger } from 'cloister'

import type { Settings } from './options.ts'

interface EndingApp {
  readonly log: BaseLogger
  close(): PromiseLike<unknown>
}

/**
 * The key on a listener of the event `exit` for each app that a signal drains. The last app ends the process, so that no
 * request of another one is lost. Copies of this package see the listeners of each other.
 */
const DRAINING: unique symbol = Symbol.for('cloister.draining')

/** Drains an app: `/ready` fails first, requests are served for a while, then the app closes. */
export class Drain {
  readonly #app: EndingApp
  readonly #settings: Settings
  readonly #onSignal: (signal: NodeJS.Signals) => void
  #draining: Promise<void> | null = null
  /** aborted when the app closes without being drained, to end all waiting */
  readonly #closed = new AbortController()

  constructor(app: EndingApp, settings: Settings) {
    this.#app = app
    this.#settings = settings
    // `cloister start` and the modules of `cloister build` close the app at a signal that has no such listener.
    const stated = { [Symbol.for('cloister.drains')]: true }
    this.#onSignal = Object.assign((signal: NodeJS.Signals) => void this.#endProcess(signal), stated)
  }

  get hasBegun(): boolean {
    return this.#draining !== null
  }

  /** Starts draining, or waits for the drain that has started. */
  run(): Promise<void> {
    this.#draining ??= this.#run()
    return this.#draining
  }

  /** Drains the app and ends the process on the signals of the options. A second signal ends the process at once. */
  watchSignals(): void {
    for (const signal of this.#settings.signals) process.once(signal, this.#onSignal)
  }

  stop(): void {
    for (const signal of this.#settings.signals) process.removeListener(signal, this.#onSignal)
    this.#closed.abort()
  }

  async #run(): Promise<void> {
    const { drainMs } = this.#settings
    this.#app.log.info(`the app is not ready any more, and closes in ${drainMs} ms`)
    await sleep(drainMs, undefined, { signal: this.#closed.signal }).catch(() => {})
    await this.#app.close()
  }

  async #endProcess(signal: NodeJS.Signals): Promise<void> {
    const { log } = this.#app
    log.info(`got ${signal}`)
    const draining = Object.assign(() => {}, { [DRAINING]: true })
    process.on('exit', draining)
    try {
      await this.run()
    } catch (err) {
      log.error({ err }, 'the app could not close')
      // Shows the failure to the supervisor.
      process.exitCode = 1
    }
    process.off('exit', draining)
    if (process.listeners('exit').some((listener) => Reflect.has(listener, DRAINING))) return
    // oxlint-disable-next-line unicorn/no-process-exit -- a signal ends the process, whatever the application has left open
    process.exit()
  }
}
