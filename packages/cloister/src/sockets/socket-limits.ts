import { createError } from '../errors.ts'
import { bytes, either, integer, oneOf, texts, timer } from '../options/kinds.ts'
import { mustBe, type Kind } from '../options/option-row.ts'
import { ROUTE_OPTIONS } from '../options/route-options.ts'
import { nearestName } from '../suggest.ts'
import type { SocketLimits } from '../types/sockets.ts'

/** The limits of sockets with all defaults. */
export type Limits = Readonly<Required<SocketLimits>>

const DEFAULTS: Omit<Limits, 'maxPayload'> = {
  maxQueued: 16,
  maxBuffered: 1_048_576,
  pingInterval: 30_000,
  origins: [],
  protocols: [],
}

const KINDS: { readonly [Name in keyof Limits]: Kind<Limits[Name]> } = {
  maxPayload: bytes,
  maxQueued: integer({ min: 1 }),
  maxBuffered: bytes,
  pingInterval: timer,
  origins: either(oneOf('*'), texts),
  protocols: texts,
}

const NAMES = Object.keys(KINDS)

/** The options of a WebSocket route, split into those of the handshake route and the limits of its sockets. */
export interface SplitOptions {
  readonly route: Record<string, unknown>
  readonly limits: Limits
}

/**
 * Separates the limits of a WebSocket route from its other options.
 *
 * @param label - the name of the route, for errors
 * @param bodyLimit - the limit of the app
 * @throws `CLO_ERR_ROUTE_OPTION_INVALID`, `CLO_ERR_ROUTE_OPTION_UNKNOWN`
 */
export function splitOptions(
  given: Readonly<Record<string, unknown>>,
  label: string,
  bodyLimit: number,
): SplitOptions {
  const route: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    if (NAMES.includes(name)) continue
    const nearest = ROUTE_OPTIONS.includes(name) ? '' : nearestName(name, NAMES, 1)
    if (nearest !== '') throw createError('ROUTE_OPTION_UNKNOWN', { route: label, name, nearest })
    route[name] = given[name]
  }
  const limits: Limits = { ...DEFAULTS, maxPayload: bytes.read(given['bodyLimit']) ?? bodyLimit }
  for (const [name, kind] of Object.entries<Kind<unknown>>(KINDS)) {
    const value = given[name]
    if (value === undefined || value === null) continue
    const read = kind.read(value)
    if (read === undefined)
      throw createError('ROUTE_OPTION_INVALID', { route: label, problem: mustBe(name, kind, value) })
    Object.assign(limits, { [name]: read })
  }
  return { route, limits }
}
