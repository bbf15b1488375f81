import type { NormalizedRouteSchema } from '@cloister/schema'
import { normalizeRouteSchema } from '@cloister/schema/internal'

import { declaredBy, refusalEntries } from '../../hooks/guard-facts.ts'
import type { GuardRefusals } from '../../types/guards.ts'
import type { HookEntry } from '../../hooks/hook-entry.ts'
import { REQUEST_HOOK_NAMES } from '../../hooks/names.ts'
import { hasOwnHooks, ownHooks } from '../plan/plan-context.ts'
import { unusableSchema, type RouteRecord } from '../route-record.ts'

/** A refusal of a route's guards and hooks. */
interface Refusal {
  readonly body: GuardRefusals[number]
  /** whether a guard states it, and no hook: hooks of plugins don't change how a handler's body is serialized */
  readonly isOfGuard: boolean
}

const NONE: ReadonlyMap<string, Refusal> = new Map()

/**
 * Returns the refusals of a route's guards, and those that its hooks declare, by status. Guards that refuse with one
 * status and different bodies state none: a client cannot know which of them refused.
 */
export function refusalsOf(record: RouteRecord): ReadonlyMap<string, Refusal> {
  const hooks = hooksOf(record)
  if (hooks.length === 0) return NONE
  const refusals = new Map<string, Refusal>()
  for (const hook of hooks) {
    const isOfGuard = hook.guard !== null
    const stated = hook.guard?.refuses ?? declaredBy(hook.fn).refuses ?? {}
    for (const [status, body] of refusalEntries(stated)) {
      const other = refusals.get(status)
      const isSame = other === undefined || other.body === body
      refusals.set(status, { body: isSame ? body : null, isOfGuard: isOfGuard && other?.isOfGuard !== false })
    }
  }
  return refusals
}

/** Returns the hooks of a route in any order; most routes have none of their own, and the boot reads those of all. */
function hooksOf(record: RouteRecord): readonly HookEntry[] {
  const { hooks } = record.context
  return hasOwnHooks(record)
    ? [...hooks, ...REQUEST_HOOK_NAMES.flatMap((name) => ownHooks(record, name))]
    : hooks
}

/** Whether the schemas of a route describe the responses with a status: by itself, its class or `default`. */
export function describesStatus({ response }: NormalizedRouteSchema, status: string): boolean {
  return [status, `${status.slice(0, 1)}xx`, 'default'].some((key) => response?.has(key) === true)
}

/**
 * Adds the refusals of a route's guards that have a schema to the responses that the route describes itself.
 *
 * @param full - the schemas of the route
 * @param use - `'serialize'` leaves out what hooks declare
 * @throws `CLO_ERR_SCH_INVALID`
 */
export function withRefusals(
  record: RouteRecord,
  full: NormalizedRouteSchema,
  use: 'serialize' | 'describe',
): NormalizedRouteSchema {
  const refusals = refusalsOf(record)
  if (refusals.size === 0) return full
  const stated = [...refusals].flatMap(([status, { body, isOfGuard }]) => {
    const isUsed = body !== null && body !== 'error' && (isOfGuard || use === 'describe')
    return isUsed && !describesStatus(full, status) ? [[status, body] as const] : []
  })
  if (stated.length === 0) return full
  const shorthand = record.context.app.options.jsonShorthand
  try {
    const { response = [] } = normalizeRouteSchema({ response: Object.fromEntries(stated) }, { shorthand })
    return { ...full, response: new Map([...(full.response ?? []), ...response]) }
  } catch (cause) {
    throw unusableSchema(record, `a guard states a refusal that is not valid: ${String(cause)}`, { cause })
  }
}
