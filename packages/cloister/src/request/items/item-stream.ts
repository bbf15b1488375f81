import { observeError } from '../observer.ts'
import { chunkBytes } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import { release, type WebStream } from '../../exchange/streams.ts'
import { STATUS_TEXT } from '../../exchange/status-text.generated.ts'
import { look } from '../../foreign.ts'
import { whenSettled } from '../../guards.ts'
import { logSafely } from '../../logging/request-log.ts'
import { startAlarm, type Alarm } from '../../platform.ts'
import { messageOf, readError, wrapThrown } from '../../read-error.ts'
import { kPlan, kState } from '../../symbols.ts'
import type { ItemsData, ReplyState } from '../state.ts'
import { writeLine } from '../write-line.ts'
import type { ItemFormat, WriteItem } from './item-formats.ts'

/** The result of a read of a web stream. */
interface ReadResult {
  readonly done: boolean
  readonly value?: Uint8Array
}

const DONE: ReadResult = { done: true }

const HEAD_MS = 1000

/** The head of a stream with heartbeats is sent after this time, even if the generator has yielded nothing. */
export function headWait(heartbeatMs: number): number {
  return heartbeatMs === 0 ? HEAD_MS : Math.min(HEAD_MS, heartbeatMs)
}

/** A read that waits for the generator. */
interface Waiting {
  readonly resolve: (result: ReadResult) => void
  readonly reject: (thrown: unknown) => void
}

/**
 * The content of a response whose handler is a generator: each item is written by its schema. The generator is asked
 * for one item per read, so that it waits where the client does not read. It has the members of a web stream that
 * `pump` uses, without what such a stream costs.
 */
export class ItemStream implements WebStream {
  readonly locked: boolean = false
  readonly #iterator: AsyncIterator<unknown>
  readonly #write: WriteItem
  readonly #format: ItemFormat
  readonly #reply: ReplyState
  readonly #items: ItemsData
  readonly #heartbeatMs: number
  /** items so far */
  #count = 0
  /** something was written, the head included */
  #hasBegun = false
  /** something was written since the last check of the heartbeat */
  #isLively = false
  #isOver = false
  /** the generator is computing an item */
  #isAsked = false
  /** an item that was yielded while no reader waited */
  #early: ((waiting: Waiting) => void) | null = null
  #waiting: Waiting | null = null
  #alarm: Alarm = undefined

  constructor(source: AsyncIterable<unknown>, write: WriteItem, format: ItemFormat, reply: ReplyState) {
    this.#iterator = source[Symbol.asyncIterator]()
    this.#write = write
    this.#format = format
    this.#reply = reply
    this.#heartbeatMs = reply[kPlan].settings.heartbeatMs
    this.#items = reply[kState].items ??= { first: null, failure: null }
  }

  getReader(): this {
    // A generator that was already started had this time before it was sent.
    const ms = this.#items.first === null ? headWait(this.#heartbeatMs) : 0
    if (this.#format.heartbeat !== null) this.#alarm = startAlarm(() => this.#beat(), ms)
    return this
  }

  /** Called again when the promise that it has returned settles. */
  read(): Promise<ReadResult> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject }
      const early = this.#early
      if (early === null) {
        this.#waiting = waiting
        this.#ask()
      } else {
        this.#early = null
        early(waiting)
      }
    })
  }

  /** Ends the generator: its `finally` blocks run. */
  cancel(): Promise<void> {
    this.#end()
    return Promise.resolve()
  }

  #ask(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    const { first } = this.#items
    this.#items.first = null
    try {
      whenSettled(
        first ?? this.#iterator.next(),
        (result) => this.#settle((waiting) => this.#take(result, waiting)),
        (thrown) => this.#settle((waiting) => this.#fail(thrown, waiting)),
      )
    } catch (thrown) {
      this.#settle((waiting) => this.#fail(thrown, waiting))
    }
  }

  #settle(deliver: (waiting: Waiting) => void): void {
    this.#isAsked = false
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting === null) this.#early = deliver
    else deliver(waiting)
  }

  #take(result: unknown, waiting: Waiting): void {
    if (this.#items.failure !== null) {
      this.#fail(this.#items.failure, waiting)
      return
    }
    if (look(result, 'done') === true) {
      this.#isOver = true
      clearTimeout(this.#alarm)
      waiting.resolve(DONE)
      return
    }
    this.#count += 1
    let text: string
    try {
      text = this.#format.encode(look(result, 'value'), this.#write)
    } catch (cause) {
      const details = { route: this.#reply[kPlan].label, number: this.#count, reason: messageOf(cause) }
      this.#fail(createError('REP_ITEM_INVALID', details, { cause }), waiting)
      return
    }
    this.#deliver(text, waiting)
  }

  #deliver(text: string, { resolve }: Waiting): void {
    this.#hasBegun = true
    this.#isLively = true
    resolve({ done: false, value: chunkBytes(text) })
  }

  /**
   * Before the head is sent, the error counts as thrown by the handler. Later, the content must show that it is
   * incomplete.
   */
  #fail(thrown: unknown, { resolve, reject }: Waiting): void {
    const { encodeFailure } = this.#format
    if (this.#isOver) {
      // The response has ended while the generator computed an item.
      logEnd(this.#reply, thrown)
      resolve(DONE)
      return
    }
    this.#end()
    if (!this.#hasBegun || encodeFailure === null) {
      reject(thrown)
      return
    }
    this.#early = (waiting) => waiting.resolve(DONE)
    // The stream of an aborted request ends without an error item.
    if (this.#reply.request[kState].controller?.signal.aborted === true) {
      logEnd(this.#reply, thrown)
      resolve(DONE)
      return
    }
    const error = wrapThrown(thrown)
    observeError(this.#reply, error, true)
    const { app } = this.#reply[kPlan]
    logSafely(app, () => app.logController.streamError(error, this.#reply.request, this.#reply))
    resolve({ done: false, value: chunkBytes(encodeFailure(describeFailure(error))) })
  }

  #end(): void {
    clearTimeout(this.#alarm)
    if (this.#isOver) return
    this.#isOver = true
    endGenerator(this.#reply, this.#iterator)
  }

  /** Sends no heartbeat to a client that does not read. Checks twice within the interval, so that none is late. */
  #beat(): void {
    const waiting = this.#waiting
    const { heartbeat } = this.#format
    if (this.#heartbeatMs > 0) this.#alarm = startAlarm(() => this.#beat(), Math.ceil(this.#heartbeatMs / 2))
    const isLively = this.#isLively
    this.#isLively = false
    if (waiting === null || isLively || heartbeat === null) return
    if (this.#heartbeatMs === 0 && this.#hasBegun) return
    this.#waiting = null
    this.#deliver(heartbeat, waiting)
    this.#isLively = false
  }
}

/** Ends a generator: its `finally` blocks run, with the values of guards. */
export function endGenerator(reply: ReplyState, generator: object): void {
  const ended = release(generator, (err) => logEnd(reply, err))
  reply[kState].held?.keepFor(ended)
}

/** That a call was aborted by `request.signal` is no mistake: it ends the generator. */
function logEnd(reply: ReplyState, err: unknown): void {
  if (look(err, 'name') === 'AbortError') return
  writeLine(reply, 'error', err, 'the generator of the response failed while it was ended')
}

/**
 * Returns the text of an error after the head, for the client. Errors that the client did not cause are only logged.
 */
function describeFailure(error: Error): object {
  const { statusCode = 500, message } = readError(error)
  const reason = STATUS_TEXT[statusCode] ?? 'Unknown'
  return { statusCode, error: reason, message: statusCode >= 500 ? reason : message }
}
