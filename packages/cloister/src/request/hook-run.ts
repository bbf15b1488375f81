import { callHookWithDone, type HookReceiver, type RequestHook } from '../hooks/request-hook.ts'
import { isThenable, whenSettled } from '../guards.ts'
import type { ByteStream } from '../exchange/streams.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import type { ReplyState, RequestState } from './state.ts'
import type { Stage } from './route-plan.ts'
import { writeLine } from './write-line.ts'

/** How a stage calls its hooks. */
export interface HookStyle {
  /** hooks get a value, and may return another one */
  readonly takesValue: boolean
  /** stores the value that the last hook returned */
  readonly store: (request: RequestState, reply: ReplyState, value: unknown) => void
}

/** Hooks that get no value. */
export const PLAIN: HookStyle = { takesValue: false, store: () => {} }

/** Hooks that may replace the payload. */
export const PAYLOAD: HookStyle = {
  takesValue: true,
  store(_request, reply, payload) {
    reply[kState].payload = payload
  },
}

/** Hooks that may replace the body: it is read from the stream that the last of them returns. */
export const BODY: HookStyle = {
  takesValue: true,
  store(request, _reply, stream) {
    request[kState].bodyStream = isReadable(stream) ? stream : request[kExchange].bodyStream
  },
}

function isReadable(value: unknown): value is ByteStream {
  return typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'function'
}

/** Continues with the rows of a path. */
type GoOn = (stages: readonly Stage[], reply: ReplyState, start: number, epoch: number) => void

const NO_STAGES: readonly Stage[] = []

/**
 * The hooks of one stage, from the first one that must be awaited. Hooks that return synchronously need no such object:
 * `callHooks` loops over them. The path passes itself to `start`, and continues after the last hook.
 */
export class HookRun implements HookReceiver {
  private readonly style: HookStyle
  private readonly hooks: readonly RequestHook[]
  private readonly reply: ReplyState
  private readonly epoch: number
  private index = 0
  private value: unknown = undefined
  private pending: PromiseLike<unknown> | null = null
  private goOn: GoOn | null = null
  private stages: readonly Stage[] = NO_STAGES
  private nextStage = 0
  private take: ((error: unknown) => void) | null = null

  constructor(style: HookStyle, hooks: readonly RequestHook[], reply: ReplyState, epoch: number) {
    this.style = style
    this.hooks = hooks
    this.reply = reply
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

  /** Waits, and then continues with the path from one of its rows. */
  start(goOn: GoOn, stages: readonly Stage[], nextStage: number): void {
    this.goOn = goOn
    this.stages = stages
    this.nextStage = nextStage
    this.wait()
  }

  hookSettled(value: unknown): void {
    const { reply, epoch } = this
    // A hook that resolves to the reply sends later.
    if (!mayGoOn(reply, epoch) || value === reply) return
    if (value !== undefined) this.value = value
    let waiting: HookRun | undefined
    try {
      waiting = callHooks(this.style, this.hooks, reply, this.value, this.index + 1, this)
    } catch (error) {
      this.hookFailed(error)
      return
    }
    if (waiting !== undefined) waiting.wait()
    else if (reply[kState].epoch === epoch) this.goOn?.(this.stages, reply, this.nextStage, epoch)
  }

  hookFailed(error: unknown): void {
    if (this.take === null) failIfOurs(this.reply, this.epoch, error)
    else this.take(error)
  }

  private wait(): void {
    const { pending } = this
    if (pending !== null) {
      this.pending = null
      whenSettled(
        pending,
        (value) => this.hookSettled(value),
        (error) => this.hookFailed(error),
      )
      return
    }
    const hook = this.hooks[this.index]
    if (hook !== undefined) callHookWithDone(hook, this.reply.request, this.reply, this.value, this)
  }
}

/**
 * Calls the hooks of a stage in order until one sends a response.
 *
 * @param run - continues from the first hook that must be awaited; created if absent
 * @returns `undefined` if all have returned or one has sent a response, otherwise the run that waits
 */
export function callHooks(
  style: HookStyle,
  hooks: readonly RequestHook[],
  reply: ReplyState,
  value: unknown,
  start = 0,
  run: HookRun | null = null,
): HookRun | undefined {
  const epoch = reply[kState].epoch
  const { request } = reply
  const { takesValue } = style
  let current = value
  for (let i = start; i < hooks.length; i++) {
    const hook = hooks[i]
    if (hook === undefined) break
    if (hook.takesDone) {
      return (run ?? new HookRun(style, hooks, reply, epoch)).park(i, current, null)
    }
    const result = takesValue ? hook.call(request, reply, current) : hook.call(request, reply)
    if (isThenable(result)) {
      return (run ?? new HookRun(style, hooks, reply, epoch)).park(i, current, result)
    }
    if (result === reply) return (run ?? new HookRun(style, hooks, reply, epoch)).park(i, current, NEVER)
    if (!mayGoOn(reply, epoch)) return undefined
    if (result !== undefined) current = result
  }
  style.store(request, reply, current)
  return undefined
}

/** Marks a hook that sends later: this path ends, and `send` starts the next one. */
const NEVER: PromiseLike<never> = { then: () => NEVER }

/** Whether no hook has sent a reply or ended the raw response. */
function mayGoOn(reply: ReplyState, epoch: number): boolean {
  if (reply[kState].epoch !== epoch) return false
  if (!reply[kExchange].ended) return true
  reply[kState].epoch++
  return false
}

/** Ends the request with an error. If the reply was sent in the meantime, the error is only logged. */
export function failIfOurs(reply: ReplyState, epoch: number, error: unknown): void {
  if (reply[kState].epoch === epoch) reply[kPlan].fail(reply, error)
  else writeLine(reply, 'error', { err: error }, 'the request failed after the response was sent')
}
