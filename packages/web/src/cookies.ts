import { createHmac, timingSafeEqual } from 'node:crypto'

import { WebOptionError } from './errors.ts'
import { assertRules, invalid, isRecord, isToken, rule, RULES, defined } from './options.ts'
import type { CookieOptions, CookieSettings } from './types.ts'

/** The longest name and value that browsers keep (RFC 6265bis section 5.6). */
const MAX_BYTES = 4096
const MIN_KEY_LENGTH = 32
const LONE = /\p{Surrogate}/u

const ATTRIBUTES = {
  domain: RULES.text,
  // Browsers ignore a year with five digits (RFC 6265bis section 5.1.1), so the cookie would end with the session.
  expires: rule(
    'a valid Date, before the year 10000',
    (value) => value instanceof Date && value.getUTCFullYear() <= 9999,
  ),
  httpOnly: RULES.flag,
  maxAge: rule('a whole number of seconds', Number.isSafeInteger),
  partitioned: RULES.flag,
  path: rule("a text that begins with '/'", (value) => typeof value === 'string' && value.startsWith('/')),
  sameSite: rule("'strict', 'lax' or 'none'", (value) => ['strict', 'lax', 'none'].includes(String(value))),
  secure: RULES.flag,
  signed: RULES.flag,
}

const DEFAULTS = { httpOnly: true, path: '/', sameSite: 'lax', secure: true } as const

const SETTINGS = {
  keys: rule('a list of keys', Array.isArray),
  accept: rule(
    '{ fastify: Date }',
    (value) => isRecord(value) && ATTRIBUTES.expires.accepts(value['fastify']),
  ),
  defaults: rule('an object with attributes', isRecord),
  attributes: rule(
    'an object of attributes by name of a cookie',
    (value) => isRecord(value) && Object.values(value).every(isRecord),
  ),
}

/** What becomes of the value of a signed cookie. */
export interface Verified {
  readonly value: string
  /** whether another key than the first one, or another library, has signed it */
  readonly isOld: boolean
}

/** Writes and signs cookies. */
export class CookieWriter {
  readonly #keys: readonly (string | Uint8Array)[]
  readonly #defaults: CookieOptions
  readonly #attributes: ReadonlyMap<string, CookieOptions>
  readonly #acceptsFastifyUntil: number
  /** names whose values are signed */
  readonly signed: Set<string> = new Set()

  /** @throws WebOptionError for keys that are missing or short, and attributes that no browser accepts */
  constructor(given: CookieSettings) {
    assertRules(given, SETTINGS, 'cookies')
    assertRules(given.defaults ?? {}, ATTRIBUTES, 'cookies.defaults')
    // The environment may lack the old key.
    this.#keys = (given.keys ?? []).filter((key) => key !== undefined)
    for (const [index, key] of this.#keys.entries()) {
      if ((typeof key !== 'string' && !(key instanceof Uint8Array)) || key.length < MIN_KEY_LENGTH)
        throw invalid(
          `cookies.keys[${index}]`,
          `a key of at least ${MIN_KEY_LENGTH} characters or bytes`,
          typeof key,
        )
    }
    this.#defaults = given.defaults ?? {}
    this.#attributes = new Map(Object.entries(given.attributes ?? {}))
    for (const name of this.#attributes.keys()) this.write(name, '', { signed: false })
    this.#acceptsFastifyUntil = given.accept?.fastify.getTime() ?? 0
  }

  get hasKeys(): boolean {
    return this.#keys.length > 0
  }

  /**
   * Returns the value of `Set-Cookie` (RFC 6265bis section 4.1).
   *
   * @throws WebOptionError `CLO_ERR_WEB_COOKIE` for a cookie that no browser would keep
   */
  write(name: string, value: string, given: CookieOptions = {}): string {
    assertRules(given, ATTRIBUTES, `the cookie '${name}'`)
    const ofName = this.#attributes.get(name) ?? {}
    const [ofApp, ofCookie, own] = [defined(this.#defaults), defined(ofName), defined(given)]
    const options: CookieOptions = { ...DEFAULTS, ...ofApp, ...ofCookie, ...own }
    const isSigned = options.signed ?? this.signed.has(name)
    if (typeof value !== 'string') throw refused(name, 'has a value that is no text')
    if (LONE.test(value)) throw refused(name, 'has a value with half of a character, a lone surrogate')
    const text = isSigned ? this.sign(name, value) : value
    const pair = `${name}=${encodeURIComponent(text)}`
    assertCookie(name, pair, options)
    return [pair, ...attributes(options)].join('; ')
  }

  /** Returns the attributes of `clearCookie`, which browsers remove a cookie by. */
  expired(name: string, given: CookieOptions = {}): string {
    return this.write(name, '', { ...given, maxAge: 0, expires: new Date(0), signed: false })
  }

  /** Returns a value with its signature, which is of the name too: it is worth nothing under another name. */
  sign(name: string, value: string): string {
    const [key] = this.#keys
    if (key === undefined) throw refused(name, "is signed, but the option 'cookies.keys' has no key")
    return `${value}.${signature(key, `${name}=${value}`).toString('base64url')}`
  }

  /** Returns the value of a signed cookie, or `null` if no key has signed it under this name. */
  verify(name: string, text: string): Verified | null {
    const dot = text.lastIndexOf('.')
    if (dot === -1) return null
    const value = text.slice(0, dot)
    const given = text.slice(dot + 1)
    for (const [index, key] of this.#keys.entries())
      if (isSame(given, signature(key, `${name}=${value}`), 'base64url')) return { value, isOld: index > 0 }
    if (Date.now() >= this.#acceptsFastifyUntil) return null
    const isOfFastify = this.#keys.some((key) => isSame(given, signature(key, value), 'base64'))
    return isOfFastify ? { value, isOld: true } : null
  }
}

function signature(key: string | Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Compares in a time that says nothing about the signature; only its one spelling counts. */
function isSame(given: string, expected: Buffer, encoding: 'base64' | 'base64url'): boolean {
  const text = Buffer.from(expected.toString(encoding).replace(/=+$/, ''))
  const bytes = Buffer.from(given)
  return bytes.length === text.length && timingSafeEqual(bytes, text)
}

const refused = (name: string, problem: string): WebOptionError =>
  new WebOptionError('CLO_ERR_WEB_COOKIE', `the cookie '${name}' ${problem}`)

/** Rules of names with a prefix (RFC 6265bis section 4.1.3), and of attributes that need others. */
function assertCookie(name: string, pair: string, options: CookieOptions): void {
  const { domain, partitioned, path, sameSite, secure, httpOnly } = options
  const lower = name.toLowerCase()
  const isHost = lower.startsWith('__host-')
  const isHttp = lower.startsWith('__http-') || lower.startsWith('__host-http-')
  if (!isToken(name)) throw refused(name, 'has a name that is no token')
  if ((isHost || isHttp || lower.startsWith('__secure-')) && secure !== true)
    throw refused(name, "needs 'secure: true' for its prefix")
  if (isHttp && httpOnly !== true) throw refused(name, "needs 'httpOnly: true' for its prefix")
  if (isHost && (domain !== undefined || path !== '/'))
    throw refused(name, "has the prefix '__Host-': leave out 'domain', and keep the path '/'")
  if (sameSite === 'none' && secure !== true) throw refused(name, "needs 'secure: true' for 'sameSite: none'")
  if (partitioned === true && secure !== true)
    throw refused(name, "needs 'secure: true' for 'partitioned: true'")
  if (Buffer.byteLength(pair) - 1 > MAX_BYTES)
    throw refused(name, `has more than ${MAX_BYTES} bytes in its name and value; browsers drop it`)
  for (const [attribute, value] of Object.entries({ domain, path }))
    if (value !== undefined && !/^[\u0021-\u003a\u003c-\u007e]{1,1024}$/.test(value))
      throw refused(name, `has a '${attribute}' that is none: no spaces, ';', line ends or other than ASCII`)
}

function attributes(options: CookieOptions): string[] {
  const { domain, expires, httpOnly, maxAge, partitioned, path, sameSite, secure } = options
  const texts = [
    maxAge === undefined ? null : `Max-Age=${maxAge}`,
    domain === undefined ? null : `Domain=${domain}`,
    path === undefined ? null : `Path=${path}`,
    expires === undefined ? null : `Expires=${expires.toUTCString()}`,
    httpOnly === true ? 'HttpOnly' : null,
    secure === true ? 'Secure' : null,
    partitioned === true ? 'Partitioned' : null,
    sameSite === undefined ? null : `SameSite=${sameSite[0]?.toUpperCase()}${sameSite.slice(1)}`,
  ]
  return texts.filter((text) => text !== null)
}

/** Adds a cookie to the `Set-Cookie` fields, and replaces the one with the same name, domain and path. */
export function addCookie(fields: unknown, line: string): string[] {
  const lines = [fields ?? []].flat().map(String)
  return [...lines.filter((one) => identity(one) !== identity(line)), line]
}

function identity(line: string): string {
  const [pair = '', ...rest] = line.split('; ')
  const named = rest.filter((one) => /^(?:Domain|Path)=/i.test(one)).toSorted()
  return [pair.slice(0, pair.indexOf('=')), ...named].join(';')
}
