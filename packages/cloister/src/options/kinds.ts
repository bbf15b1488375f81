import type { ServerOptions as HttpServerOptions } from 'node:http'

import { isAsyncFunction, isFunction, isRecord, type AnyFunction } from '../guards.ts'
import type { TrustedHops } from '../types/options.ts'
import type { Kind } from './option-row.ts'

/** The longest delay that a timer of the platform takes; a longer one would fire at once. */
export const LONGEST_DELAY_MS = 2_147_483_647

/** `true` or `false`. */
export const flag: Kind<boolean> = {
  read: (given) => (typeof given === 'boolean' ? given : undefined),
  type: 'boolean',
  checked: 'boolean',
  expected: 'a boolean',
}

/** A text that is not empty. */
export const text: Kind<string> = {
  read: (given) => (typeof given === 'string' && given !== '' ? given : undefined),
  type: 'string',
  checked: 'string',
  expected: 'a non-empty string',
  narrows: true,
}

/** A list of texts. */
export const texts: Kind<readonly string[]> = {
  read: (given) =>
    Array.isArray(given) && given.every((item) => typeof item === 'string') ? given : undefined,
  type: 'readonly string[]',
  checked: 'readonly string[]',
  expected: 'an array of strings',
}

interface Range {
  readonly min?: number
  readonly max?: number
  readonly unit?: NonNullable<Kind<number>['unit']>
}

/** A whole number within a range; digits in a string count, because environment variables are strings. */
export function integer({ min = 0, max = Infinity, unit }: Range = {}): Kind<number> {
  const limit = max === Infinity ? '' : ` and at most ${max}`
  return {
    read: (given) => {
      const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
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

/** A time that Node's server waits. */
export const milliseconds: Kind<number> = integer({ unit: 'milliseconds' })

/** A time that a timer waits. */
export const timer: Kind<number> = integer({ unit: 'milliseconds', max: LONGEST_DELAY_MS })

/** A size above 0, as a number and not as text. */
export const bytes: Kind<number> = {
  ...integer({ min: 1, unit: 'bytes' }),
  read: (given) => (typeof given === 'number' && Number.isInteger(given) && given > 0 ? given : undefined),
}

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): Kind<T> {
  const type = words.map((word) => `'${word}'`).join(' | ')
  const list = words.map((word) => JSON.stringify(word)).join(', ')
  return {
    read: (given) => words.find((word) => word === given),
    type,
    checked: type,
    expected: words.length === 1 ? list : `one of ${list}`,
  }
}

/** A list of a few words. */
export function listOf<const T extends string>(...words: readonly T[]): Kind<readonly T[]> {
  const isWord = (item: unknown): item is T => words.some((word) => word === item)
  const type = `readonly (${words.map((word) => `'${word}'`).join(' | ')})[]`
  return {
    read: (given) => (Array.isArray(given) && given.every(isWord) ? given : undefined),
    type,
    checked: type,
    expected: `an array of ${words.map((word) => JSON.stringify(word)).join(', ')}`,
  }
}

const HOPS = integer()

/** So many proxies, each within these addresses. */
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
  return {
    read: (given) => (isFunction(given) ? given : undefined),
    type,
    checked: 'AnyFunction',
    expected: 'a function',
  }
}

/** A function that returns its result at once: an `async` one is refused. */
export function syncCallback(type: string): Kind<AnyFunction> {
  return {
    read: (given) => (isFunction(given) && !isAsyncFunction(given) ? given : undefined),
    type,
    checked: 'AnyFunction',
    expected: 'a function that is not async',
    narrows: true,
  }
}

/** An object with the TypeScript type `type`. */
export function object(type: string): Kind<Readonly<Record<string, unknown>>> {
  return {
    read: (given) => (isRecord(given) ? given : undefined),
    type,
    checked: 'Readonly<Record<string, unknown>>',
    expected: 'an object',
  }
}

const isServerOptions = (value: unknown): value is HttpServerOptions => isRecord(value)

/** Options of Node's HTTP server, which checks them. */
export const serverOptions: Kind<HttpServerOptions> = {
  ...object('HttpServerOptions | null'),
  read: (given) => (isServerOptions(given) ? given : undefined),
  checked: 'HttpServerOptions',
}

/** Anything; another module of the package checks it. */
export function anything(type: string): Kind<unknown> {
  return { read: (given) => given, type, checked: 'unknown', expected: 'anything' }
}

/** Accepts the values of several kinds; the first that accepts one decides. */
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

/** TLS: options, or `true` for a server that gets its certificates later. */
export const tls: Kind<Readonly<Record<string, unknown>> | null> = {
  read: (given) => {
    if (typeof given === 'boolean') return given ? {} : null
    return isRecord(given) ? given : undefined
  },
  type: 'HttpsServerOptions | SecureServerOptions | null',
  checked: 'Readonly<Record<string, unknown>> | null',
  expected: 'a boolean or an object',
}

/** The name of a header in lower case; `true` is the usual one, `false` and the empty string are none. */
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
