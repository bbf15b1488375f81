import { createError } from '../errors.ts'
import { isThenable, whenSettled } from '../guards.ts'
import { callHookWithDone, type HookReceiver, type RequestHook } from '../hooks/request-hook.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import { isBlob, isGenerator, isNodeStream, isResponse, isWebStream } from './payload-kind.ts'
import type { Stage } from './route-plan.ts'
import { OPEN, type ReplyState, type RequestState } from './state.ts'
import { letGo } from './unsent-source.ts'
import { writeLine, writeWarning } from './write-line.ts'

/**
 * Runs the rows of a path in order, synchronously until one returns a promise.
 *
 * A run belongs to one epoch of its reply. When a row sends, fails or hijacks, a new epoch begins and this run ends;
 * the next run has already been started.
 */
export function runStages(
  stages: readonly Stage[],
  reply: ReplyState,
  start = 0,
  epoch: number = reply[kState].epoch,
): void {
  const state = reply[kState]
  const plan = reply[kPlan]
  const { request } = reply
  try {
    for (let i = start; i < stages.length; i++) {
      const pending = stages[i]?.(plan, request, reply)
      if (pending instanceof WaitingPath) {
        pending.start(stages, i + 1)
        return
      }
      if (pending !== undefined && (pending instanceof Promise || isThenable(pending))) {
        // The path does not wait for a promise of another epoch, but reports its rejection.
        const { held } = state
        held?.enter()
        pending.then(
          () => {
            if (state.epoch === epoch) runStages(stages, reply, i + 1, epoch)
            held?.leave()
          },
          (error: unknown) => {
            failIfOurs(reply, epoch, error)
            held?.leave()
          },
        )
        return
      }
      if (state.epoch !== epoch) return
    }
  } catch (error) {
    failIfOurs(reply, epoch, error)
  }
}

/** A path that waits within a stage, and continues by itself. Sealed workers without hooks have no class of these. */
abstract class WaitingPath {
  /** Waits, and then continues with the path from one of its rows. */
  abstract start(stages: readonly Stage[], nextStage: number): void
}

/** Keeps a value that a hook has returned, and at the end of the stage what is left; both may be the same. */
export type StoreValue = (request: RequestState, reply: ReplyState, value: unknown) => void

/** Whether a payload can be sent, and has no JSON. */
const isNoValue = (payload: unknown): boolean =>
  isNodeStream(payload) ||
  isWebStream(payload) ||
  isResponse(payload) ||
  isBlob(payload) ||
  isGenerator(payload)

/** Hooks may replace the payload by another value. */
export const storePayload: StoreValue = (_request, reply, payload) => {
  reply[kState].payload = payload
  if (!isNoValue(payload)) return
  const reason =
    'a preSerialization hook has returned a stream, a Response, a Blob or a generator, which has no JSON; return a stream from an onSend hook'
  throw createError('FAILED_SERIALIZATION', { route: reply[kPlan].label, status: reply.statusCode, reason })
}

const NO_STAGES: readonly Stage[] = []

/**
 * The hooks of one stage, from the first one that must be awaited. Hooks that return synchronously need no such object:
 * `callHooks` loops over them. The path passes itself to `start`, and continues after the last hook.
 */
export class HookRun extends WaitingPath implements HookReceiver {
  private readonly hooks: readonly RequestHook[]
  private readonly reply: ReplyState
  private readonly store: StoreValue | null
  private readonly epoch: number
  private index = 0
  private value: unknown = undefined
  private pending: PromiseLike<unknown> | null = null
  private stages: readonly Stage[] = NO_STAGES
  private nextStage = 0
  private take: ((error: unknown) => void) | null = null

  constructor(hooks: readonly RequestHook[], reply: ReplyState, store: StoreValue | null, epoch: number) {
    super()
    this.hooks = hooks
    this.reply = reply
    this.store = store
    this.epoch = epoch
  }

  /** Notes the current hook: one that takes `done`, or one that has returned a promise. */
  park(index: number, value: unknown, pending: PromiseLike<unknown> | null): this {
    this.index = index
    this.value = value
    this.pending = pending
    return this
  }

  /** Sets a function that gets the error of a hook, in place of the error path. */
  takeErrors(take: (error: unknown) => void): this {
    this.take = take
    return this
  }

  override start(stages: readonly Stage[], nextStage: number): void {
    this.stages = stages
    this.nextStage = nextStage
    this.wait()
  }

  hookSettled(value: unknown): void {
    const { reply, epoch } = this
    // A hook that resolves to the reply sends later.
    if (value === reply) return
    if (!mayGoOn(reply, epoch)) {
      if (this.store !== null && value !== this.value) letGo(reply, value)
      return
    }
    let waiting: HookRun | undefined
    try {
      if (value !== undefined && value !== this.value) {
        this.value = value
        this.store?.(reply.request, reply, value)
      }
      waiting = callHooks(this.hooks, reply, this.store, this.value, this.index + 1, this)
    } catch (error) {
      this.hookFailed(error)
      return
    }
    if (waiting !== undefined) waiting.wait()
    else if (reply[kState].epoch === epoch) runStages(this.stages, reply, this.nextStage, epoch)
  }

  hookFailed(error: unknown): void {
    if (this.take === null) failIfOurs(this.reply, this.epoch, error)
    else this.take(error)
  }

  private wait(): void {
    const { pending } = this
    if (pending !== null) {
      this.pending = null
      whenHookSettled(pending, this.reply, this)
      return
    }
    const hook = this.hooks[this.index]
    if (hook !== undefined) callHookWithDone(hook, this.reply.request, this.reply, this.value, this)
  }
}

/** Waits for the promise of a hook. Until then the values of guards are kept. */
export function whenHookSettled(
  pending: PromiseLike<unknown>,
  reply: ReplyState,
  receiver: HookReceiver,
): void {
  const { held } = reply[kState]
  held?.enter()
  whenSettled(
    pending,
    (value) => {
      receiver.hookSettled(value)
      held?.leave()
    },
    (error) => {
      receiver.hookFailed(error)
      held?.leave()
    },
  )
}

/**
 * Calls the hooks of a stage in order until one sends a response.
 *
 * @param run - continues from the first hook that must be awaited; created if absent
 * @returns `undefined` if all have returned or one has sent a response, otherwise the run that waits
 */
export function callHooks(
  hooks: readonly RequestHook[],
  reply: ReplyState,
  store: StoreValue | null = null,
  value?: unknown,
  start = 0,
  run: HookRun | null = null,
): HookRun | undefined {
  const epoch = reply[kState].epoch
  const { request } = reply
  let current = value
  for (let i = start; i < hooks.length; i++) {
    const hook = hooks[i]
    if (hook === undefined) break
    if (hook.takesDone) {
      return (run ?? new HookRun(hooks, reply, store, epoch)).park(i, current, null)
    }
    const result = store === null ? hook.call(request, reply) : hook.call(request, reply, current)
    if (isThenable(result)) {
      return (run ?? new HookRun(hooks, reply, store, epoch)).park(i, current, result)
    }
    if (result === reply) return (run ?? new HookRun(hooks, reply, store, epoch)).park(i, current, NEVER)
    if (!mayGoOn(reply, epoch)) return undefined
    if (result === undefined || result === current) continue
    current = result
    store?.(request, reply, result)
  }
  if (store !== null) store(request, reply, current)
  return undefined
}

/** Marks a hook that sends later: this path ends, and `send` starts the next one. */
const NEVER: PromiseLike<never> = { then: () => NEVER }

/** Whether no hook has sent a reply or ended the raw response. The path of a client that has gone runs to its end. */
function mayGoOn(reply: ReplyState, epoch: number): boolean {
  if (reply[kState].epoch !== epoch) return false
  if (!reply[kExchange].turn.isComplete) return true
  reply[kState].epoch++
  return false
}

/** Ends the request with an error. If the reply was sent in the meantime, the error is only logged. */
export function failIfOurs(reply: ReplyState, epoch: number, error: unknown): void {
  if (reply[kState].epoch === epoch) reply[kPlan].fail(reply, error)
  else writeLine(reply, 'error', error, 'the request failed after the response was sent')
}

/**
 * Passes a request to the not-found handler of its route's context, as if no route had matched: its `preHandler` hooks
 * run first. The `onSend` hooks remain those of the route: they complete what it and its plugins have begun.
 */
export function callNotFound(reply: ReplyState): void {
  const { request, [kState]: state } = reply
  if (request.is404) {
    writeWarning(reply, 'callNotFound was called where no route is; a plain 404 is sent')
    reply.code(404).send('404 Not Found')
    return
  }
  const caller = reply[kPlan]
  const plan = caller.app.notFoundOf(caller.context)
  state.caller = caller
  // What the not-found handler throws goes to the next error handler.
  if (state.errorDepth > 0) state.errorHandlers = caller.errorHandlers
  reply[kPlan] = plan
  request[kPlan] = plan
  state.phase = OPEN
  state.epoch++
  runStages(plan.notFoundStages, reply)
}
