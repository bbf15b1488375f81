import type { Readable } from 'node:stream'

import type { Adapted } from '../../context/adapt-hook.ts'
import { andThen, isPending } from '../../deferred.ts'
import { isThenable } from '../../functions.ts'
import { kBodyStream, kExchange, kPayload, kTurn } from '../../symbols.ts'
import type { ReplyImpl } from '../reply.ts'
import type { RequestImpl } from '../request.ts'
import type { Stage } from '../route-plan.ts'
import { handlerChannels, tracePreHandler } from './trace-handler.ts'

/** Calls hooks in order until one answers; synchronous until one returns a promise. */
function runHooks(hooks: readonly Adapted[], request: RequestImpl, reply: ReplyImpl, start = 0): unknown {
  const turn = reply[kTurn]
  for (let i = start; i < hooks.length; i++) {
    const pending = hooks[i]?.(request, reply)
    if (isThenable(pending)) {
      return andThen(pending, () =>
        mayGoOn(reply, turn) ? runHooks(hooks, request, reply, i + 1) : undefined,
      )
    }
    if (!mayGoOn(reply, turn)) return undefined
  }
  return undefined
}

/** False once a hook has answered, on the raw response too. */
function mayGoOn(reply: ReplyImpl, turn: number): boolean {
  if (reply[kTurn] !== turn) return false
  if (!reply[kExchange].ended) return true
  reply[kTurn]++
  return false
}

/** Calls hooks that may hand on another value; resolves to the last one. */
function runValueHooks(
  hooks: readonly Adapted[],
  request: RequestImpl,
  reply: ReplyImpl,
  value: unknown,
  start = 0,
): unknown {
  const turn = reply[kTurn]
  let current = value
  for (let i = start; i < hooks.length; i++) {
    const next = hooks[i]?.(request, reply, current)
    if (isThenable(next)) {
      return andThen(next, (settled) => {
        const value = settled === undefined ? current : settled
        return mayGoOn(reply, turn) ? runValueHooks(hooks, request, reply, value, i + 1) : value
      })
    }
    if (!mayGoOn(reply, turn)) return current
    if (next !== undefined) current = next
  }
  return current
}

export const runOnRequest: Stage = (plan, request, reply) => runHooks(plan.hooks.onRequest, request, reply)

export const runPreValidation: Stage = (plan, request, reply) =>
  runHooks(plan.hooks.preValidation, request, reply)

export const runPreHandler: Stage = (plan, request, reply) =>
  handlerChannels.hasSubscribers && !plan.isNotFound
    ? tracePreHandler(plan, request, reply, runHooks)
    : runHooks(plan.hooks.preHandler, request, reply)

/** The body is read from the stream that the last `preParsing` hook returns. */
export const runPreParsing: Stage = (plan, request, reply) => {
  const { body } = request[kExchange]
  const store = (stream: unknown): void => {
    request[kBodyStream] = isReadable(stream) ? stream : body
  }
  const stream = runValueHooks(plan.hooks.preParsing, request, reply, body)
  return isPending(stream) ? andThen(stream, store) : store(stream)
}

export const runPreSerialization: Stage = (plan, request, reply) =>
  storePayload(reply, runValueHooks(plan.hooks.preSerialization, request, reply, reply[kPayload]))

export const runOnSend: Stage = (plan, request, reply) =>
  storePayload(reply, runValueHooks(plan.hooks.onSend, request, reply, reply[kPayload]))

function storePayload(reply: ReplyImpl, payload: unknown): unknown {
  const turn = reply[kTurn]
  const store = (settled: unknown): void => {
    if (reply[kTurn] === turn) reply[kPayload] = settled
  }
  // A payload may itself have a `then` (a stream of some libraries); only our own promises are awaited here.
  return isPending(payload) ? andThen(payload, store) : store(payload)
}

function isReadable(value: unknown): value is Readable {
  return typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'function'
}

/**
 * Runs the hooks beside the path (`onResponse`, `onTimeout`, `onRequestAbort`): nobody waits for them.
 *
 * @param settled - told when the last one is done, with what one of them threw if it did
 */
export function runHooksAside(
  hooks: readonly Adapted[],
  args: readonly unknown[],
  settled: (failure: { readonly thrown: unknown } | null) => void,
): void {
  const fail = (thrown: unknown): void => settled({ thrown })
  const runFrom = (start: number): void => {
    try {
      for (let i = start; i < hooks.length; i++) {
        const pending = hooks[i]?.(...args)
        if (isThenable(pending)) {
          pending.then(() => runFrom(i + 1), fail)
          return
        }
      }
    } catch (thrown) {
      fail(thrown)
      return
    }
    settled(null)
  }
  runFrom(0)
}
