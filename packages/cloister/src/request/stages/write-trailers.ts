import type { TrailerSource } from '../../exchange/exchange.ts'
import { problemOfField } from '../../exchange/field-lines.ts'
import { isThenable } from '../../functions.ts'
import type { AnyFunction } from '../../functions.ts'
import { kExchange, kPayload, kPlan, kReplyHeaders, kTrailers } from '../../symbols.ts'
import { isNodeStream, isWebStream } from '../payload-kind.ts'
import type { ReplyState } from '../state.ts'
import { writeLine, writeWarning } from '../write-line.ts'

/** Trailers are announced in the head (RFC 9110 section 6.6.2). */
export function announceTrailers(reply: ReplyState): void {
  reply[kReplyHeaders]['trailer'] = [...(reply[kTrailers]?.keys() ?? [])].join(' ')
}

/** Returns the source of a reply's trailers: those that have a value. A trailer that fails is left out. */
export function trailersOf(reply: ReplyState): TrailerSource {
  return async () => {
    const entries = [...(reply[kTrailers] ?? [])]
    // A stream has gone by then; its text was never in one piece.
    const sent = reply[kPayload]
    const payload = isNodeStream(sent) || isWebStream(sent) ? null : sent
    const values = entries.map(async ([name, fn]) => [name, await valueOf(name, fn, reply, payload)] as const)
    const known = (await Promise.all(values)).filter(([name, value]) => canBeSent(name, value, reply))
    return Object.fromEntries(known.map(([name, value]) => [name, String(value)]))
  }
}

function canBeSent(name: string, value: unknown, reply: ReplyState): boolean {
  if (typeof value !== 'string' || value === '') return false
  const reason = problemOfField(name, value)
  if (reason !== null) writeWarning(reply, `the trailer '${name}' is left out: ${reason}`)
  return reason === null
}

/**
 * A trailer's function gives its value by returning it, by promise or by callback. Within `writeTimeout`: else the client
 * would wait for the end of the response.
 */
function valueOf(name: string, fn: AnyFunction, reply: ReplyState, payload: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    const release = startTimer(name, reply, () => resolve(undefined))
    const done = (error: unknown, value?: unknown): void => {
      release()
      if (error != null)
        writeLine(reply, 'warn', { err: error }, `the trailer '${name}' failed and is left out`)
      resolve(error == null ? value : undefined)
    }
    try {
      const result = fn.call(reply, reply, payload, done)
      if (isThenable(result)) result.then((value) => done(null, value), done)
      else if (result !== undefined) done(null, result)
    } catch (error) {
      done(error)
    }
  })
}

/** Returns what releases the timer. */
function startTimer(name: string, reply: ReplyState, leaveOut: () => void): () => void {
  const { writeTimeout } = reply[kPlan].app.options
  if (writeTimeout === 0) return () => {}
  const timer = setTimeout(() => {
    const reason = `its function gave no value within ${writeTimeout} ms (writeTimeout)`
    writeWarning(reply, `the trailer '${name}' is left out: ${reason}`)
    leaveOut()
  }, writeTimeout)
  const release = (): void => clearTimeout(timer)
  reply[kExchange].onFinished(release)
  return release
}
