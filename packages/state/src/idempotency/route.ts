import { randomUUID } from 'node:crypto'

import type { CloisterReply, CloisterRequest } from 'cloister'

import { hashOf } from '../keys.ts'
import { claimKey, giveBack, type Claim, type ClaimResult } from './claim.ts'
import { IdempotencyRefusal } from './errors.ts'
import type { IdempotencySettings } from './options.ts'
import { storedHeaders, type IdempotencyRecord, type StoredResponse } from './record.ts'
import { requestHash } from './request-hash.ts'

/** A request that has a key. */
class Running {
  readonly reply: CloisterReply
  /** the headers of the reply before the handler */
  readonly before: Readonly<Record<string, unknown>>
  /** `null` until the state has confirmed it */
  claim: Claim | null = null
  /** the handler, if it returned a promise */
  handler: Promise<unknown> | null = null
  /** the handler was called: later hooks may refuse the request */
  hasRun = false
  /** the handler threw, or an error was sent */
  hasFailed = false
  /** the client got 503, and the handler may still run */
  isTimedOut = false
  hasLeft = false
  /** the claim was released, or has an outcome */
  isSettled = false
  /** the outcome is a response, which an error of a later hook does not remove */
  isStored = false

  constructor(reply: CloisterReply) {
    this.reply = reply
    this.before = { ...reply.getHeaders() }
  }
}

type Hook = (request: CloisterRequest, reply: CloisterReply, value: unknown) => Promise<unknown>
type Handler = (this: unknown, request: CloisterRequest, reply: CloisterReply) => unknown

/** Marks the options of a route that has the hooks: copies of them have the hooks, too. */
const kInstalled = Symbol('@cloister/state/idempotency')

/** Hooks state under it how a plugin refuses requests; documents and types have it. */
const kRefuses: unique symbol = Symbol.for('cloister.refuses')

/** Visible ASCII. A header that was sent twice has a space. */
const KEY = /^[!-~]{1,255}$/

/** What an idempotent route does with its requests. */
export class IdempotentRoute {
  readonly #settings: IdempotencySettings
  readonly #label: string
  readonly #running = new WeakMap<object, Running>()
  readonly #replayed = new WeakMap<object, StoredResponse>()

  constructor(settings: IdempotencySettings, label: string) {
    this.#settings = settings
    this.#label = label
  }

  /**
   * Adds the hooks: the last one before the handler, so that guards decide first and the request is valid; and the
   * first of the route that gets the content, so that a coding is chosen for each client.
   */
  install(route: object): void {
    if (Object.hasOwn(route, kInstalled)) return
    Reflect.set(route, kInstalled, true)
    const add = (name: string, hook: Hook): void => {
      const given: unknown = Reflect.get(route, name) ?? []
      Reflect.set(route, name, (name === 'onSend' ? [hook, given] : [given, hook]).flat())
    }
    const begin: Hook = async (request, reply) => this.#begin(request, reply)
    add('preHandler', Object.assign(begin, { [kRefuses]: this.#refusals() }))
    add('onError', async (request, _reply, error) => this.#fail(request, error))
    add('onSend', async (request, reply, payload) => this.#end(request, reply, payload))
    add('onResponse', async (request) => this.#leave(request))
    add('onRequestAbort', async (request) => this.#abort(request))
    const handler: unknown = Reflect.get(route, 'handler')
    if (isHandler(handler)) Reflect.set(route, 'handler', this.#watched(handler))
  }

  /** The statuses of refused requests, for documents and the types of clients. */
  #refusals(): Readonly<Record<number, 'error'>> {
    const own: Readonly<Record<number, 'error'>> = { 400: 'error', 409: 'error', 422: 'error' }
    return this.#settings.onStateFailure === 'refuse' ? { ...own, 503: 'error' } : own
  }

  /** Calls the handler, and notes whether it fails: an error handler may make any response of an error. */
  #watched(handler: Handler): Handler {
    // oxlint-disable-next-line typescript/no-this-alias -- a handler gets the app as `this`
    const route = this
    const watched: Handler = function (request, reply) {
      const running = route.#running.get(request)
      if (running === undefined) return handler.call(this, request, reply)
      running.hasRun = true
      const done = (): void => {
        if (request.is404 || (running.hasLeft && reply.sent)) void route.#leave(request)
      }
      const failed = (error: unknown): never => {
        running.hasFailed = true
        throw error
      }
      let returned: unknown
      try {
        returned = handler.call(this, request, reply)
      } catch (error) {
        failed(error)
      }
      if (returned === reply || !isThenable(returned)) {
        done()
        return returned
      }
      running.handler = Promise.resolve(returned).then((value) => {
        done()
        return value
      }, failed)
      return running.handler
    }
    // Descriptions of the route name the handler of the app.
    return Object.defineProperty(watched, 'name', { value: handler.name, configurable: true })
  }

  #fail(request: object, error: unknown): void {
    this.#replayed.delete(request)
    const running = this.#running.get(request)
    if (running === undefined) return
    running.hasFailed = true
    running.isTimedOut = String(Reflect.get(Object(error), 'code')).endsWith('_HANDLER_TIMEOUT')
  }

  async #begin(request: CloisterRequest, reply: CloisterReply): Promise<CloisterReply | undefined> {
    const { state, keyOf, keyName, required, holdMs, ttlMs, onStateFailure } = this.#settings
    const given = keyOf(request)
    if (given === undefined || given === null) {
      if (!required) return undefined
      throw new IdempotencyRefusal(
        'CLO_ERR_IDEMPOTENCY_KEY_MISSING',
        `The request needs an idempotency key (${keyName})`,
      )
    }
    if (!KEY.test(given)) {
      const message = `The idempotency key (${keyName}) must have 1 to 255 visible ASCII characters`
      throw new IdempotencyRefusal('CLO_ERR_IDEMPOTENCY_KEY_INVALID', message)
    }
    const hash = requestHash(request)
    const running = new Running(reply)
    this.#running.set(request, running)
    const key = `idempotency:${hashOf(JSON.stringify([await this.#scopeOf(request), request.method, this.#label, given]))}`
    const warn = (error: unknown, message: string): void =>
      request.log.error({ err: error, key: given }, message)
    const context = { state, key, hash, owner: randomUUID(), holdMs, ttlMs, warn }
    let result: ClaimResult
    try {
      result = await claimKey(context)
    } catch (error) {
      warn(error, 'the state of an idempotent request failed')
      if (onStateFailure === 'allow') return undefined
      void giveBack(context)
      reply.header('retry-after', '1')
      const message = 'Idempotency keys cannot be checked now; try again'
      throw new IdempotencyRefusal('CLO_ERR_IDEMPOTENCY_STATE', message, { cause: error })
    }
    // The request was over before the state responded, for example by its timeout, so its handler never runs.
    const isOver = running.hasFailed || running.isSettled
    if ('claim' in result) {
      if (isOver) await result.claim.release()
      else running.claim = result.claim
    } else if (!isOver) return this.#respond(result.record, hash, reply)
    return undefined
  }

  /** Keys of one caller are apart from those of others, and from public ones. */
  async #scopeOf(request: CloisterRequest): Promise<string | null> {
    const { scope } = this.#settings
    if (scope === 'public') return null
    const caller = await scope(request)
    if (typeof caller === 'string' && caller !== '') return caller
    const message = `the option 'scope' of idempotency returned no text for a request to ${this.#label}`
    throw new IdempotencyRefusal('CLO_ERR_IDEMPOTENCY_SCOPE', message)
  }

  #respond(record: IdempotencyRecord | null, hash: string, reply: CloisterReply): CloisterReply {
    if (record !== null && record.hash !== hash) {
      const message = 'The idempotency key was used for another request'
      throw new IdempotencyRefusal('CLO_ERR_IDEMPOTENCY_MISMATCH', message)
    }
    if (record !== null && record.outcome === null) {
      reply.header('retry-after', '1')
      const message = 'A request with this idempotency key is running; try again'
      throw new IdempotencyRefusal('CLO_ERR_IDEMPOTENCY_RUNNING', message)
    }
    if (record === null || record.outcome === null || record.outcome === 'not kept') {
      const message = 'The request with this idempotency key was done, but its response is not kept'
      throw new IdempotencyRefusal('CLO_ERR_IDEMPOTENCY_NOT_KEPT', message)
    }
    const { outcome } = record
    this.#replayed.set(reply.request, outcome)
    replay(outcome, reply)
    return reply.send(outcome.body ?? undefined)
  }

  async #end(request: CloisterRequest, reply: CloisterReply, payload: unknown): Promise<unknown> {
    const replayed = this.#replayed.get(request)
    if (replayed !== undefined) {
      // Hooks of contexts have changed the stored content once more; it already was what they make of it.
      replay(replayed, reply)
      // A payload of text has got a type, which the stored response may have had none of.
      const typeBefore = this.#running.get(request)?.before['content-type']
      if (replayed.headers['content-type'] === undefined && typeBefore === undefined)
        reply.removeHeader('content-type')
      return replayed.body
    }
    const running = this.#running.get(request)
    if (running === undefined || running.isStored) return payload
    running.isSettled = true
    const { claim, handler, hasRun, hasFailed, isTimedOut } = running
    if (claim === null) return payload
    if (isTimedOut) void settleLater(claim, handler)
    else if (!hasRun || hasFailed || request.is404 || reply.statusCode >= 500) await claim.release()
    else {
      const outcome = outcomeOf(reply, payload, running.before, this.#settings.maxBytes)
      running.isStored = outcome !== 'not kept'
      await claim.finish(outcome)
    }
    return payload
  }

  /** Settles what no `onSend` hook of the route saw: a hijacked or raw reply, also that of a not-found handler. */
  async #leave(request: CloisterRequest): Promise<void> {
    const running = this.#running.get(request)
    if (running === undefined || running.isSettled) return
    running.isSettled = true
    await (request.is404 ? running.claim?.release() : running.claim?.finish('not kept'))
  }

  /** No `onResponse` hook runs for a client that has left. */
  async #abort(request: CloisterRequest): Promise<void> {
    const running = this.#running.get(request)
    if (running === undefined) return
    running.hasLeft = true
    if (request.is404 || running.reply.sent) await this.#leave(request)
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}

function replay({ status, headers }: StoredResponse, reply: CloisterReply): void {
  reply.code(status).headers({ ...headers, 'idempotent-replayed': 'true' })
}

function isThenable(value: unknown): boolean {
  return typeof Reflect.get(Object(value), 'then') === 'function'
}

/** The client got 503, and the handler still runs: the request must not run again before it is done. */
async function settleLater(claim: Claim, handler: Promise<unknown> | null): Promise<void> {
  if (handler === null) {
    claim.abandon()
    return
  }
  try {
    await handler
  } catch {
    await claim.release()
    return
  }
  await claim.finish('not kept')
}

function outcomeOf(
  reply: CloisterReply,
  payload: unknown,
  before: Readonly<Record<string, unknown>>,
  maxBytes: number,
): StoredResponse | 'not kept' {
  const body = payload === undefined || payload === '' ? null : payload
  const isKept = body === null || typeof body === 'string' || body instanceof Uint8Array
  if (!isKept || Buffer.byteLength(body ?? '') > maxBytes) return 'not kept'
  const content = body instanceof Uint8Array ? Buffer.from(body) : body
  return { status: reply.statusCode, headers: storedHeaders(before, reply.getHeaders()), body: content }
}
