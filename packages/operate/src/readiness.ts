import { OperateError } from './errors.ts'
import { checkTimes } from './options.ts'
import type { Settings } from './options.ts'
import type { Check, CheckResult, TimedCheck } from './types.ts'

type Changed = (name: string, result: CheckResult, error: unknown) => void

/** The readiness checks of an app. Each check runs only once at a time, however many probes arrive. */
export class ReadinessChecks {
  readonly #checks = new Map<string, CachedCheck>()
  readonly #settings: Settings
  readonly #changed: Changed

  constructor(settings: Settings, changed: Changed) {
    this.#settings = settings
    this.#changed = changed
    for (const [name, check] of Object.entries(settings.checks)) this.add(name, check)
  }

  /** @throws OperateError `CLO_ERR_OPERATE_CHECK` if the name is taken */
  add(name: string, check: Check | TimedCheck): void {
    if (this.#checks.has(name)) {
      throw new OperateError(
        'CLO_ERR_OPERATE_CHECK',
        `there is a readiness check '${name}' already; give this one another name`,
      )
    }
    const timed = checkTimes(name, check, this.#settings)
    this.#checks.set(name, new CachedCheck(timed, (result, error) => this.#changed(name, result, error)))
  }

  async run(): Promise<Readonly<Record<string, CheckResult>>> {
    const entries = [...this.#checks].map(async ([name, check]) => [name, await check.result()] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  /** Ends the checks that run, so that a closing app waits for none of them. */
  stop(): void {
    for (const check of this.#checks.values()) check.stop()
  }
}

class CachedCheck {
  readonly #timed: Required<TimedCheck>
  readonly #changed: (result: CheckResult, error: unknown) => void
  #last: CheckResult = 'ok'
  #freshUntil = -1
  #running: Promise<CheckResult> | null = null
  #calling: Promise<Outcome> | null = null
  #end: ((reason: string) => void) | null = null
  #isStopped = false

  constructor(timed: Required<TimedCheck>, changed: (result: CheckResult, error: unknown) => void) {
    this.#timed = timed
    this.#changed = changed
  }

  async result(): Promise<CheckResult> {
    if (performance.now() < this.#freshUntil) return this.#last
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  stop(): void {
    this.#isStopped = true
    this.#end?.('the app closes')
  }

  async #run(): Promise<CheckResult> {
    const { timeoutMs, cacheMs } = this.#timed
    const abort = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Outcome>((resolve) => {
      const end = (reason: string): void => {
        resolve({ result: 'late', error: undefined })
        abort.abort(new Error(reason))
      }
      this.#end = end
      timer = setTimeout(() => end(`the check took longer than ${timeoutMs} ms`), timeoutMs)
    })
    // A check that ignores its signal may still be running: a second run beside it would only add load.
    this.#calling ??= this.#call(abort.signal).finally(() => {
      this.#calling = null
    })
    const { result, error } = await Promise.race([this.#calling, late])
    clearTimeout(timer)
    this.#end = null
    this.#freshUntil = performance.now() + cacheMs
    if (result !== this.#last && !this.#isStopped) this.#changed(result, error)
    this.#last = result
    return result
  }

  async #call(signal: AbortSignal): Promise<Outcome> {
    try {
      const value = await this.#timed.check(signal)
      return { result: value === false ? 'failed' : 'ok', error: undefined }
    } catch (error) {
      return { result: 'failed', error }
    }
  }
}

interface Outcome {
  readonly result: CheckResult
  readonly error: unknown
}
