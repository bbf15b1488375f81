import { isThenable } from '../functions.ts'
import { kDeferred, kExchange, kPlan, kTurn } from '../symbols.ts'
import type { ReplyImpl } from './reply.ts'

/**
 * What a handler returns becomes the answer: nothing means that it will call (or has called) `send`; a promise is
 * awaited, and resolves to an answer unless the handler has spoken otherwise.
 */
export function settleResult(result: unknown, reply: ReplyImpl): unknown {
  if (result === undefined || result === reply) return undefined
  if (!isThenable(result)) {
    reply.send(result)
    return undefined
  }
  const turn = reply[kTurn]
  return result.then(
    (value) => settleValue(value, reply, turn),
    (error: unknown) => {
      if (reply[kTurn] === turn) reply[kPlan].fail(reply, error)
      else reply.log.error({ err: error }, 'the handler failed after the request was answered')
    },
  )
}

function settleValue(value: unknown, reply: ReplyImpl, turn: number): void {
  if (value !== undefined && value !== reply) {
    reply.send(value)
    return
  }
  const exchange = reply[kExchange]
  const handedOver = reply[kTurn] !== turn || reply[kDeferred]
  reply[kDeferred] = false
  if (!handedOver && !exchange.headersSent && !exchange.ended && !exchange.aborted) reply.send(undefined)
}
