import type { ReadIntegers } from './parse-json.ts'

/** Where a JSON value has 64-bit integers. Numbers are positions in {@link IntegerTable.places}. */
export interface IntegerPlace {
  /** Whether the value itself is one. */
  readonly int64?: boolean
  /** The places of properties; `null` for one without 64-bit integers. */
  readonly properties?: Readonly<Record<string, number | null>>
  /** The place of all other properties. */
  readonly others?: number
  /** The places of the first items. */
  readonly first?: readonly (number | null)[]
  /** The place of all other items. */
  readonly items?: number
}

/** Where the replies and messages of an app have 64-bit integers. */
export interface IntegerTable {
  /** The places in the bodies of a route by status, and in the messages of its socket (`outgoing`). */
  readonly routes: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** All places. */
  readonly places: readonly IntegerPlace[]
}

/** The error for an integer that no number represents exactly, where the types have a number. */
export class IntegerError extends RangeError {
  override readonly name: string = 'IntegerError'
  /** Names the error. */
  readonly code = 'CLO_ERR_CLIENT_INTEGER' as const

  constructor(place: string, value: unknown, reason: string) {
    super(`${place} is ${String(value)}, which is ${reason}`)
  }
}

/**
 * Creates the setting `integers` of a client. An integer beyond 2^53 - 1 is exact, or an {@link IntegerError}; those of the
 * table are bigints, whatever they are.
 *
 * @param table - `cloister types` writes it for an app with `integers: 'bigint'`
 *
 * @example
 * ```ts
 * import { client } from '@cloister/client'
 * import { exactIntegers } from '@cloister/client/integers'
 *
 * interface Api {
 *   'GET /count': { replies: { 200: number } }
 * }
 *
 * const api = client<Api>('https://api.example.com', { integers: exactIntegers() })
 * ```
 */
export function exactIntegers({ routes, places }: IntegerTable = { routes: {}, places: [] }): ReadIntegers {
  return (route, keys) => {
    const row = memberOf(routes, route) ?? {}
    const root = memberOf(row, keys.find((key) => Object.hasOwn(row, key)) ?? '')
    return (text, what) => {
      const value: unknown = JSON.parse(text)
      const isLong = LONG.test(text)
      return isLong || root !== undefined
        ? settle(isLong ? readTokens(text) : value, root, places, [what])
        : value
    }
  }
}

function memberOf<T>(holder: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

/** Other texts have no integer beyond 2^53 - 1, and no number that is infinite. */
const LONG = /\d{16}|\de\+?\d{3}/i

/** Reads valid JSON; integers beyond 2^53 - 1 become bigints. */
function readTokens(text: string): unknown {
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[-\d][\d.eE+-]*|[tfn]\w+/g) ?? []
  let at = 0
  const read = (token: string = ''): unknown => {
    if (token === '[') {
      const list: unknown[] = []
      for (let next; (next = tokens[at++]) !== ']';) list.push(read(next))
      return list
    }
    if (token === '{') {
      const members: [string, unknown][] = []
      for (let name; (name = tokens[at++]) !== '}';)
        members.push([String(JSON.parse(String(name))), read(tokens[at++])])
      return Object.fromEntries(members)
    }
    const value: unknown = JSON.parse(token)
    return /^-?\d+$/.test(token) && !Number.isSafeInteger(value) ? BigInt(token) : value
  }
  return read(tokens[at++])
}

/** Makes the numbers of a place bigints, and bigints elsewhere numbers. */
function settle(
  value: unknown,
  number: number | null | undefined,
  places: readonly IntegerPlace[],
  path: string[],
): unknown {
  const place = places[number ?? -1]
  if (typeof value === 'bigint') {
    if (place?.int64) return value
    if (BigInt(Number(value)) === value) return Number(value)
  }
  if (typeof value === 'number') {
    if (!place?.int64) {
      if (Math.abs(value) < Infinity) return value
    } else if (Number.isSafeInteger(value)) return BigInt(value)
  }
  if (typeof value === 'bigint' || typeof value === 'number')
    throw new IntegerError(
      path.join('/'),
      value,
      place?.int64 ? 'no integer that is certain' : 'not exactly representable as a number',
    )
  if (typeof value === 'object' && value)
    for (const [key, one] of Object.entries(value)) {
      path.push(key.replace(/~/g, '~0').replace(/\//g, '~1'))
      Reflect.set(value, key, settle(one, below(place, value, key), places, path))
      path.pop()
    }
  return value
}

function below(
  { properties = {}, others, first = [], items }: IntegerPlace = {},
  value: object,
  key: string,
): number | null | undefined {
  if (Array.isArray(value)) return Number(key) < first.length ? first[Number(key)] : items
  const own = memberOf(properties, key)
  return own === undefined ? others : own
}
