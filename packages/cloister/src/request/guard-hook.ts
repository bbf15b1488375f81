import { createError } from '../errors.ts'
import { isThenable } from '../guards.ts'
import { isError } from '../read-error.ts'
import { SECURITY } from '../hooks/guard-facts.ts'
import type { Guard, HookEntry } from '../hooks/hook-entry.ts'
import { kState } from '../symbols.ts'
import { HeldValues } from './held-values.ts'
import { ReplyImpl } from './reply.ts'
import { RequestImpl } from './request.ts'

/** Makes the hook that runs a guard: once for each request, and without a promise if the guard returns none. */
export function guardHook(guard: Guard): HookEntry {
  const { name, run, slot, at, owner, callSite } = guard
  function hook(this: unknown, request: unknown, reply: unknown): unknown {
    if (!(request instanceof RequestImpl && reply instanceof ReplyImpl)) return undefined
    // A request that is handed to a not-found handler meets the guard again.
    if (Reflect.get(request, slot) !== undefined) return undefined
    reply[kState].checked = guard
    const value: unknown = run.call(this, request, reply)
    // A reply is a thenable until it is sent.
    if (value === reply || !isThenable(value)) return take(guard, request, reply, value)
    return Promise.resolve(value).then((settled) => take(guard, request, reply, settled))
  }
  Object.defineProperty(hook, 'name', { value: run.name === '' ? name : run.name })
  Object.defineProperty(hook, SECURITY, { value: guard.securitySchemes })
  return { name: at, fn: hook, callSite, owner, source: 'context', guard }
}

/** Stores the value of a guard. A guard that has replied needs none. A returned error ends the request, as a thrown one. */
function take(guard: Guard, request: RequestImpl, reply: ReplyImpl, value: unknown): unknown {
  if (value === reply) return reply
  if (isError(value)) throw value
  if (value === undefined || value === null) {
    if (reply.sent) return undefined
    throw createError('GUARD_NO_VALUE', { name: guard.name, callSite: guard.callSite })
  }
  Reflect.set(request, guard.slot, value)
  const state = reply[kState]
  state.checked = null
  if (guard.release === null) return undefined
  state.held ??= new HeldValues(reply)
  state.held.add(guard, value)
  return undefined
}
