import { isFunction, isRecord } from '../guards.ts'
import type { GuardRefusals, GuardSecurity, GuardSecuritySchemes } from '../types/guards.ts'
import type { HookEntry } from './hook-entry.ts'

/** The key on functions for the security schemes that they check; documents read it. */
export const SECURITY: unique symbol = Symbol.for('cloister.security')

/** The key on functions for the bodies of their refusals by status, in the form of the option `refuses` of guards. */
const REFUSES: unique symbol = Symbol.for('cloister.refuses')

/** What a guard, or a hook that checks credentials, states about requests. */
export interface StatedFacts {
  /** the name of its value on requests; `null` for a hook */
  readonly name: string | null
  readonly security: GuardSecurity
  readonly refuses: GuardRefusals
}

/** Returns what a hook states; `null` if it is no guard and declares no security scheme. */
export function factsOf({ guard, fn }: Pick<HookEntry, 'guard' | 'fn'>): StatedFacts | null {
  if (guard !== null) return guard
  const { securitySchemes, refuses } = declaredBy(fn)
  return securitySchemes === undefined
    ? null
    : { name: null, security: withoutScopes(securitySchemes), refuses: refuses ?? {} }
}

/** Returns the facts that a function declares by its symbols. */
export function declaredBy(fn: object): {
  readonly securitySchemes: GuardSecuritySchemes | undefined
  readonly refuses: GuardRefusals | undefined
} {
  const schemes: unknown = Reflect.get(fn, SECURITY)
  const refuses: unknown = Reflect.get(fn, REFUSES)
  return {
    securitySchemes: isSchemes(schemes) ? schemes : undefined,
    refuses: isRefusals(refuses, 599) ? refuses : undefined,
  }
}

/** Returns security schemes as a requirement of no scopes. */
export function withoutScopes(schemes: object): GuardSecurity {
  return Object.fromEntries(Object.keys(schemes).map((scheme) => [scheme, []]))
}

/** Whether a value has security schemes by name: `{ bearer: { type: 'http', scheme: 'bearer' } }`. */
export function isSchemes(value: unknown): value is GuardSecuritySchemes {
  return (
    isRecord(value) && Object.values(value).every((one) => isRecord(one) && typeof one['type'] === 'string')
  )
}

/**
 * Whether a value has the bodies of refusals by status: `{ 401: 'error' }`.
 *
 * @param highest - status; hooks, unlike guards, may refuse because of the server (503)
 */
export function isRefusals(value: unknown, highest: number = 499): value is GuardRefusals {
  const isBody = (one: unknown): boolean =>
    one === 'error' || one === null || typeof one === 'object' || isFunction(one)
  return (
    isRecord(value) &&
    Object.entries(value).every(([status, one]) => isRefusal(Number(status), highest) && isBody(one))
  )
}

/** Returns the bodies of refusals with their statuses. */
export function refusalEntries(refuses: GuardRefusals): (readonly [string, GuardRefusals[number]])[] {
  return Object.keys(refuses).map((status) => [status, refuses[Number(status)] ?? null])
}

/** Whether a value is the status of a refusal. */
export function isRefusal(status: unknown, highest: number = 499): boolean {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= highest
}
