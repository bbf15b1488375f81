import type { ServerOptions as HttpServerOptions } from 'node:http'

import { isAsyncFunction, isFunction, isRecord, type AnyFunction, type Dictionary } from '../guards.ts'
import type { TrustedHops } from '../types/options.ts'
import type { Kind } from './option-row.ts'

/** The longest delay of a platform timer. A longer delay would fire at once. */
export const MAX_DELAY_MS = 2_147_483_647

function valuesThat<T>(
  fit: (given: unknown) => given is T,
  expected: string,
  type: string,
  checked: string = type,
): Kind<T> {
  return { read: (given) => (fit(given) ? given : undefined), type, checked, expected }
}

const isText = (given: unknown): given is string => typeof given === 'string'

export const flag: Kind<boolean> = valuesThat((given) => typeof given === 'boolean', 'a boolean', 'boolean')

export const text: Kind<string> = {
  ...valuesThat((given): given is string => isText(given) && given !== '', 'a non-empty string', 'string'),
  narrows: true,
}

export const texts: Kind<readonly string[]> = listWhere(isText, 'strings', 'string')

interface Range {
  readonly min?: number
  readonly max?: number
  readonly unit?: NonNullable<Kind<number>['unit']>
  /** accept strings of digits, because environment variables are strings */
  readonly digits?: boolean
}

/** An integer within a range. */
export function integer({ min = 0, max = Infinity, unit, digits = true }: Range = {}): Kind<number> {
  const limit = max === Infinity ? '' : ` and at most ${max}`
  return {
    read: (given) => {
      const number = digits && typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
      const isInRange =
        typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
      return isInRange ? number : undefined
    },
    type: 'number',
    checked: 'number',
    expected: `an integer of at least ${min}${limit}`,
    narrows: true,
    ...(unit !== undefined && { unit }),
  }
}

/** A time limit of Node's server. */
export const milliseconds: Kind<number> = integer({ unit: 'milliseconds' })

export const timer: Kind<number> = integer({ unit: 'milliseconds', max: MAX_DELAY_MS })

/** A positive size; strings are rejected. */
export const bytes: Kind<number> = integer({ min: 1, unit: 'bytes', digits: false })

function namesOf(words: readonly string[]): readonly [type: string, list: string] {
  return [words.map((word) => `'${word}'`).join(' | '), words.map((word) => JSON.stringify(word)).join(', ')]
}

export function oneOf<const T extends string>(...words: readonly T[]): Kind<T> {
  const [type, list] = namesOf(words)
  const isWord = (given: unknown): given is T => words.some((word) => word === given)
  return valuesThat(isWord, words.length === 1 ? list : `one of ${list}`, type)
}

function listWhere<T>(fits: (item: unknown) => item is T, items: string, type: string): Kind<readonly T[]> {
  const isList = (given: unknown): given is readonly T[] => Array.isArray(given) && given.every(fits)
  return valuesThat(isList, `an array of ${items}`, `readonly ${type}[]`)
}

export function listOf<const T extends string>(...words: readonly T[]): Kind<readonly T[]> {
  const [type, list] = namesOf(words)
  return listWhere((item): item is T => words.some((word) => word === item), list, `(${type})`)
}

const HOPS = integer()

/** A number of proxies, and the addresses they must have. */
export const trustedHops: Kind<TrustedHops> = {
  read: (given) => {
    if (!isRecord(given) || Object.keys(given).some((name) => name !== 'hops' && name !== 'from'))
      return undefined
    const hops = HOPS.read(given['hops'])
    const from = text.read(given['from']) ?? texts.read(given['from'])
    return hops === undefined || from === undefined ? undefined : Object.freeze({ hops, from })
  },
  type: 'TrustedHops',
  checked: 'TrustedHops',
  expected: 'an object { hops: number, from: addresses }',
}

/** A function with the TypeScript signature `type`. */
export function callback(type: string): Kind<AnyFunction> {
  return valuesThat(isFunction, 'a function', type, 'AnyFunction')
}

/** A function that returns synchronously; `async` functions are rejected. */
export function syncCallback(type: string): Kind<AnyFunction> {
  const isSync = (given: unknown): given is AnyFunction => isFunction(given) && !isAsyncFunction(given)
  return { ...valuesThat(isSync, 'a function that is not async', type, 'AnyFunction'), narrows: true }
}

/** An object with the TypeScript type `type`. */
export function object(type: string): Kind<Dictionary> {
  return valuesThat(isRecord, 'an object', type, 'Readonly<Record<string, unknown>>')
}

/** Options of Node's HTTP server, which checks them itself. */
export const serverOptions: Kind<HttpServerOptions> = valuesThat(
  (given): given is HttpServerOptions => isRecord(given),
  'an object',
  'HttpServerOptions | null',
  'HttpServerOptions',
)

/** Any value; another module checks it. */
export function anything(type: string): Kind<unknown> {
  return { read: (given) => given, type, checked: 'unknown', expected: 'anything' }
}

/** A value of one of several kinds. The first kind that accepts it converts it. */
export function either<const K extends readonly Kind<unknown>[]>(
  ...kinds: K
): Kind<K[number] extends Kind<infer T> ? T : never>
export function either(...kinds: readonly Kind<unknown>[]): Kind<unknown> {
  const join = (part: (kind: Kind<unknown>) => string, separator: string): string =>
    kinds.map(part).join(separator)
  return {
    read: (given) => {
      for (const { read } of kinds) {
        const value = read(given)
        if (value !== undefined) return value
      }
      return undefined
    },
    type: join(({ type }) => (type.includes('=>') ? `(${type})` : type), ' | '),
    checked: join(({ checked }) => checked, ' | '),
    expected: join(({ expected }) => expected, ' or '),
    ...(kinds.some(({ narrows }) => narrows === true) && { narrows: true }),
  }
}

/** TLS options, or `true` for a server that gets its certificates later. */
export const tls: Kind<Dictionary | null> = {
  read: (given) => {
    if (typeof given === 'boolean') return given ? {} : null
    return isRecord(given) ? given : undefined
  },
  type: 'HttpsServerOptions | SecureServerOptions | null',
  checked: 'Readonly<Record<string, unknown>> | null',
  expected: 'a boolean or an object',
}

/** The name of a header in lower case. `true` means the default name; `false` and an empty string mean none. */
export const requestIdHeader: Kind<string | false> = {
  read: (given) => {
    if (typeof given === 'boolean') return given ? 'request-id' : false
    if (typeof given !== 'string') return undefined
    return given === '' ? false : given.toLowerCase()
  },
  type: 'string | boolean',
  checked: 'string | false',
  expected: 'a boolean or a string',
}
