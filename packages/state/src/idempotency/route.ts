import type { CloisterReply, CloisterRequest } from 'cloister'

import { hashOf } from '../keys.ts'
import { claimKey, type Claim } from './claim.ts'
import { IdempotencyRefusal } from './errors.ts'
import type { IdempotencySettings } from './options.ts'
import { storedHeaders, type IdempotencyRecord, type StoredResponse } from './record.ts'
import { requestHash } from './request-hash.ts'

/** A request that runs under a claim. */
interface Running {
  readonly claim: Claim
  /** the headers of the reply before the handler */
  readonly before: Readonly<Record<string, unknown>>
  /** the handler was called: later hooks may refuse the request */
  hasRun: boolean
  /** the handler threw, or an error was sent */
  hasFailed: boolean
  isSettled: boolean
  /** the handler, if it returned a promise */
  handler: Promise<unknown> | null
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
    add('onError', async (request) => this.#fail(request))
    add('onSend', async (request, reply, payload) => this.#end(request, reply, payload))
    add('onResponse', async (request) => this.#leave(request))
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
      let returned: unknown
      try {
        returned = handler.call(this, request, reply)
      } catch (error) {
        running.hasFailed = true
        throw error
      }
      if (!(returned instanceof Promise)) return returned
      running.handler = returned.catch((error: unknown) => {
        running.hasFailed = true
        throw error
      })
      return running.handler
    }
    // Descriptions of the route name the handler of the app.
    return Object.defineProperty(watched, 'name', { value: handler.name, configurable: true })
  }

  #fail(request: object): void {
    const running = this.#running.get(request)
    if (running !== undefined) running.hasFailed = true
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
    const key = `idempotency:${hashOf(JSON.stringify([await this.#scopeOf(request), request.method, this.#label, given]))}`
    const warn = (error: unknown, message: string): void =>
      request.log.error({ err: error, key: given }, message)
    try {
      const result = await claimKey({ state, key, hash, holdMs, ttlMs, warn })
      if ('record' in result) return this.#respond(result.record, hash, reply)
      const before = { ...reply.getHeaders() }
      const running = {
        claim: result.claim,
        before,
        hasRun: false,
        hasFailed: false,
        isSettled: false,
        handler: null,
      }
      this.#running.set(request, running)
    } catch (error) {
      if (error instanceof IdempotencyRefusal) throw error
      warn(error, 'the state of an idempotent request failed')
      if (onStateFailure === 'allow') return undefined
      reply.header('retry-after', '1')
      const message = 'Idempotency keys cannot be checked now; try again'
      throw new IdempotencyRefusal('CLO_ERR_IDEMPOTENCY_STATE', message, { cause: error })
    }
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
      return replayed.body
    }
    const running = this.#running.get(request)
    if (running === undefined || running.isSettled) return payload
    running.isSettled = true
    const { claim, handler, hasRun, hasFailed } = running
    if (isTimeout(request.signal.reason)) void settleLater(claim, handler)
    else if (!hasRun || hasFailed || reply.statusCode >= 500) await claim.release()
    else await claim.finish(outcomeOf(reply, payload, running.before, this.#settings.maxBytes))
    return payload
  }

  /** A response that no `onSend` hook saw, as of a hijacked reply, is not kept. */
  async #leave(request: CloisterRequest): Promise<void> {
    const running = this.#running.get(request)
    if (running === undefined || running.isSettled) return
    running.isSettled = true
    await running.claim.finish('not kept')
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}

function replay({ status, headers }: StoredResponse, reply: CloisterReply): void {
  reply.code(status).headers({ ...headers, 'idempotent-replayed': 'true' })
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && String(Reflect.get(reason, 'code')).endsWith('_HANDLER_TIMEOUT')
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
