import { childLocation, type SchemaLocation, type SchemaScope } from '@cloister/schema'
import type { Cloister, CloisterRequest, Context } from 'cloister'
import { cookiesOf, inspectRoutes } from 'cloister/inspect'

import type { CookieWriter } from './cookies.ts'
import { WebOptionError } from './errors.ts'
import { isRecord } from './options.ts'
import type { WebReply } from './types.ts'

/** Marks the schema of a cookie whose value is signed. */
const MARK = 'x-signed'

/** The signed cookies of a route. They are known once all shared schemas are, before the app takes requests. */
export interface SignedCookies {
  names: readonly string[]
}

/**
 * Whether the schema of a route may mark cookies as signed: it says so itself, or refers to other schemas or libraries,
 * which are read when the app is ready.
 */
export function mayMarkSigned(route: object): boolean {
  const schema: unknown = Reflect.get(route, 'schema')
  const cookies = isRecord(schema) ? schema['cookies'] : undefined
  return cookies !== undefined && !isUnmarked(cookies)
}

/** Whether a schema is plain JSON without a mark and without a reference. */
function isUnmarked(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function'
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && !Array.isArray(value)) return false
  return !(MARK in value) && !('$ref' in value) && Object.values(value).every(isUnmarked)
}

type Done = (error?: Error) => void

/** Returns the `preValidation` hook that verifies signed cookies. One without a valid signature is absent. */
export function verifyHook(signed: SignedCookies, cookies: CookieWriter) {
  return (request: CloisterRequest, reply: WebReply, done: Done): void => {
    const { names } = signed
    if (names.length === 0) return done()
    const read = new Map(cookiesOf(request))
    for (const name of names) {
      const verified = cookies.verify(name, read.get(name) ?? '')
      if (verified === null) read.delete(name)
      else read.set(name, verified.value)
      if (verified?.isOld === true) reply.setCookie(name, verified.value)
    }
    Reflect.set(request, 'cookies', Object.fromEntries(read))
    done()
  }
}

/**
 * Finds the signed cookies of all routes, wherever the mark stands: in the schema itself, in shared schemas that it
 * refers to, and in schemas of libraries.
 *
 * @param signedOf - gets the `config` of a route
 * @throws WebOptionError if there is no key, and for a mark that belongs to no name
 */
export function findSignedCookies(
  app: Cloister<Context>,
  cookies: CookieWriter,
  signedOf: (config: unknown) => SignedCookies | null,
): void {
  for (const { schema, scope, config, description } of inspectRoutes(app)) {
    const signed = signedOf(config)
    if (signed === null || schema.cookies === undefined) continue
    const label = `${description.method} ${description.url} (${description.callSite})`
    const finder = new MarkFinder(scope, label)
    finder.readSchema(scope.open(schema.cookies))
    signed.names = [...finder.names]
    const [first] = signed.names
    if (first !== undefined && !cookies.hasKeys)
      throw mistake(`the cookie '${first}' of ${label} is signed, but the option 'cookies.keys' has no key`)
    for (const name of signed.names) cookies.signed.add(name)
  }
}

function mistake(problem: string): WebOptionError {
  return new WebOptionError('CLO_ERR_WEB_OPTION', problem)
}

/** Keywords whose schemas describe the same value as theirs. */
const OF_THE_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const

/** Reads which names a schema of cookies marks. */
class MarkFinder {
  readonly names = new Set<string>()
  readonly #scope: SchemaScope
  readonly #label: string
  readonly #seen = new Set<unknown>()

  constructor(scope: SchemaScope, label: string) {
    this.#scope = scope
    this.#label = label
  }

  /** Reads a schema of all cookies. */
  readSchema(at: SchemaLocation): void {
    if (!isRecord(at.schema) || this.#seen.has(at.schema)) return
    this.#seen.add(at.schema)
    for (const one of this.#ofSameValue(at)) this.readSchema(one)
    for (const [keyword, value] of Object.entries(at.schema)) {
      if (keyword === 'properties') this.#readProperties(childLocation(at, [keyword]))
      else if (!IS_READ.has(keyword) && holdsMark(value))
        throw mistake(
          `'${MARK}' below '${keyword}' in the cookies of ${this.#label} belongs to no cookie; mark each name in 'properties'`,
        )
    }
  }

  #readProperties(properties: SchemaLocation): void {
    if (!isRecord(properties.schema)) return
    for (const name of Object.keys(properties.schema))
      if (this.#isMarked(childLocation(properties, [name]), new Set())) this.names.add(name)
  }

  #isMarked(at: SchemaLocation, seen: Set<unknown>): boolean {
    if (!isRecord(at.schema) || seen.has(at.schema)) return false
    seen.add(at.schema)
    return at.schema[MARK] === true || this.#ofSameValue(at).some((one) => this.#isMarked(one, seen))
  }

  /** The schemas that describe the same value. */
  #ofSameValue(at: SchemaLocation): SchemaLocation[] {
    const { schema } = at
    if (!isRecord(schema)) return []
    const { $ref } = schema
    const target = typeof $ref === 'string' ? this.#scope.resolve(at, $ref) : undefined
    const below = OF_THE_VALUE.flatMap((keyword) => {
      const value = schema[keyword]
      if (Array.isArray(value)) return value.map((_one, index) => childLocation(at, [keyword, index]))
      return value === undefined ? [] : [childLocation(at, [keyword])]
    })
    return target === undefined ? below : [target, ...below]
  }
}

/** Keywords that are read, or hold schemas that only references lead to. */
const IS_READ: ReadonlySet<string> = new Set([
  ...OF_THE_VALUE,
  'properties',
  '$defs',
  'definitions',
  'default',
  'examples',
])

function holdsMark(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (!Array.isArray(value) && MARK in value) || Object.values(value).some(holdsMark)
}
