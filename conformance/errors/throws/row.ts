// One row of the matrix: an app in which one place fails in one way, and what becomes of its requests.
import type { App } from '../../harness/app-shape.ts'
import { createLogSink } from '../../harness/log-lines.ts'
import { openSocket, rawSocket } from '../../harness/raw-socket.ts'
import type { SendRequest } from '../../harness/send.ts'
import type { Suite } from '../../harness/transports.ts'
import { collectUnhandled } from '../../harness/unhandled.ts'
import { makeOdd } from './odd-values.ts'
import type { AnyFunction, Place, Way } from './place.ts'

/** A request that has no end by then hangs. */
const HANG_MS = Number(process.env['CLOISTER_HANG_MS'] ?? 30_000)

/** How often it is looked whether the log has a line of an abandoned request. */
const MAX_WAITS = 400

/** What is wrong with a case. */
export type Fault = 'hang' | 'unhandled' | 'passed' | 'reached' | 'unlogged'

/** A case that went wrong. */
export interface Finding {
  readonly fault: Fault
  readonly value: string
  readonly detail: string
}

/** Options of the app that decide how an error is shown. */
export const SHOWN: readonly Record<string, unknown>[] = [
  {},
  { exposeErrors: false, errorCodePrefix: 'SHOP_' },
  { problemDetails: true, handlerTimeout: 60_000 },
]

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Rejections and exceptions that nothing has handled. */
export class Unhandled {
  readonly #seen = collectUnhandled()

  /** Rejections are reported when the turn has ended. */
  async take(): Promise<string[]> {
    await turn()
    await turn()
    return this.#seen.splice(0).map(nameOf)
  }
}

function nameOf(reason: unknown): string {
  try {
    return reason instanceof Error ? (reason.stack ?? '').slice(0, 600) : String(reason).slice(0, 200)
  } catch {
    return 'what cannot be read'
  }
}

/** The outcome of a promise within the time of a hang. */
export async function outcomeOf(running: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve('hang'), HANG_MS)
  })
  try {
    return await Promise.race([running.catch(() => 'cut'), late])
  } finally {
    clearTimeout(timer)
  }
}

type Transport = Pick<Suite, 'createApp' | 'send'>

/** The app that a row fails in: one for all values, which change between the requests. */
export class Row {
  readonly #app: App
  readonly #place: Place
  readonly #way: Way
  readonly #send: Transport['send']
  readonly #log = createLogSink()
  #value: () => unknown = () => undefined
  #isReached = false

  constructor({ createApp, send }: Transport, place: Place, way: Way, shown: object) {
    this.#place = place
    this.#way = way
    this.#send = send
    const failing: AnyFunction = way.make(() => this.#value(), place) ?? (() => undefined)
    this.#app = createApp({ logger: { stream: this.#log.stream }, ...shown, ...place.options?.(failing) })
    place.define(this.#app, failing, () => {
      this.#isReached = true
      return { reached: true }
    })
  }

  /** Sends a request whose callback fails with a value. */
  async run(valueName: string, unhandled: Unhandled): Promise<Finding[]> {
    this.#isReached = false
    this.#log.lines.length = 0
    this.#value = () => makeOdd(valueName)
    const outcome = await outcomeOf(this.#ask())
    const found = (await unhandled.take()).map((detail) => ['unhandled', detail] as const)
    const faults = [...found, ...this.#judge(outcome)]
    return faults.map(([fault, detail]) => ({ fault, detail, value: valueName }))
  }

  #judge(outcome: unknown): (readonly [Fault, string])[] {
    const { survives, isBefore, isUnlogged, mayPass } = this.#place
    const { isReturn, isLate } = this.#way
    const faults: (readonly [Fault, string])[] = []
    if (outcome === 'hang') faults.push(['hang', ''])
    if (isReturn === true) return faults
    const isFine = survives === true ? outcome === 200 : Number(outcome) >= 400
    const isJudged = mayPass !== true && isLate !== true && typeof outcome === 'number'
    if (isJudged && !isFine) faults.push(['passed', String(outcome)])
    if (isBefore === true && isLate !== true && this.#isReached) faults.push(['reached', ''])
    if (isUnlogged !== true && !this.#isLogged()) faults.push(['unlogged', ''])
    return faults
  }

  #isLogged(): boolean {
    return this.#log.lines.some(({ level, err }) => Number(level) >= 40 || err !== undefined)
  }

  async #ask(): Promise<unknown> {
    const { request = { method: 'POST', path: '/', body: {} }, bytesBefore, abandonedBy } = this.#place
    if (abandonedBy !== undefined) {
      // On a busy machine a short deadline may pass before the request has come.
      do await this.#abandon(abandonedBy)
      while (!this.#isReached)
      const isSilent = this.#place.isUnlogged === true || this.#way.isReturn === true
      for (let waited = 0; waited < MAX_WAITS && !isSilent && !this.#isLogged(); waited++) await pause(5)
      return 200
    }
    if (bytesBefore !== undefined) await rawSocket(this.#app, bytesBefore)
    return (await this.#send(this.#app, request satisfies SendRequest)).status
  }

  /** Sends a request whose connection ends without a response. */
  async #abandon(by: 'the client' | 'the app'): Promise<void> {
    const socket = await openSocket(this.#app)
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n')
    while (by === 'the client' && !this.#isReached) await pause(1)
    if (by === 'the client') socket.destroy()
    await closed
    await pause(5)
  }

  close(): Promise<unknown> {
    return outcomeOf(this.#app.close())
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
