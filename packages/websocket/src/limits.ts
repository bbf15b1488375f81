import { WebSocketError } from './errors.ts'
import type { SocketLimits } from './types.ts'

/** The limits of sockets with all defaults. */
export type Limits = Readonly<Required<SocketLimits>>

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2_147_483_647

interface Rule<T> {
  readonly wanted: string
  /** returns the value; `undefined` for one that is not allowed */
  readonly read: (given: unknown) => T | undefined
}

const atLeast = (least: number, most: number = Number.MAX_SAFE_INTEGER): Rule<number> => ({
  wanted: `an integer of at least ${least}`,
  read: (given) => {
    // Environment variables are strings.
    const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
    const isFit = typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
    return isFit ? number : undefined
  },
})

const isText = (given: unknown): given is string => typeof given === 'string'
const texts: Rule<readonly string[]> = {
  wanted: 'an array of strings',
  read: (given) => (Array.isArray(given) && given.every(isText) ? given : undefined),
}

const RULES: { readonly [Name in keyof Limits]: Rule<Limits[Name]> } = {
  maxPayload: atLeast(1),
  maxQueued: atLeast(1),
  maxMessagesPerSecond: atLeast(0),
  maxBytesPerSecond: atLeast(0),
  maxBuffered: atLeast(1),
  pingInterval: atLeast(0, MAX_DELAY_MS),
  origins: {
    wanted: "'*' or an array of strings",
    read: (given) => (given === '*' ? given : texts.read(given)),
  },
  protocols: texts,
}

const DEFAULTS: Omit<Limits, 'maxPayload'> = {
  maxQueued: 16,
  maxMessagesPerSecond: 0,
  maxBytesPerSecond: 0,
  maxBuffered: 1_048_576,
  pingInterval: 30_000,
  origins: [],
  protocols: [],
}

const NAMES = Object.keys(RULES)

/**
 * Separates the limits of a WebSocket route from the options of its handshake.
 *
 * @param label - the name of the route, for errors
 * @param bodyLimit - the limit of the app
 * @throws WebSocketError `CLO_ERR_SOCKET_OPTION`
 */
export function splitOptions(
  given: Readonly<Record<string, unknown>>,
  label: string,
  bodyLimit: number,
): { readonly route: Record<string, unknown>; readonly limits: Limits } {
  const refused = (problem: string): WebSocketError =>
    new WebSocketError('CLO_ERR_SOCKET_OPTION', `Error in the options of route '${label}': ${problem}`)
  const route: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    if (NAMES.includes(name)) continue
    const meant = NAMES.find((one) => isNear(name, one))
    if (meant !== undefined) throw refused(`unknown option '${name}'; did you mean '${meant}'?`)
    route[name] = given[name]
  }
  const limits = { ...DEFAULTS, maxPayload: RULES.maxPayload.read(given['bodyLimit']) ?? bodyLimit }
  for (const [name, { wanted, read }] of Object.entries<Rule<unknown>>(RULES)) {
    const value = given[name]
    if (value === undefined || value === null) continue
    const found = read(value)
    if (found === undefined) throw refused(`'${name}' must be ${wanted}, got ${show(value)}`)
    Object.assign(limits, { [name]: found })
  }
  return { route, limits }
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** Returns whether one character was left out, added or changed, or two were exchanged. */
function isNear(name: string, other: string): boolean {
  if (Math.abs(name.length - other.length) > 1) return false
  let start = 0
  while (start < name.length && name[start] === other[start]) start++
  let end = 0
  const most = Math.min(name.length, other.length) - start
  while (end < most && name.at(-1 - end) === other.at(-1 - end)) end++
  const left = name.slice(start, name.length - end)
  const right = other.slice(start, other.length - end)
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
