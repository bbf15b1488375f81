import { childLocation, schemasInPlace, type SchemaLocation, type SchemaScope } from '@cloister/schema'
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
    signed.names = markedNames(scope.open(schema.cookies), scope, label)
    const [first] = signed.names
    if (first !== undefined && !cookies.hasKeys)
      throw mistake(`the cookie '${first}' of ${label} is signed, but the option 'cookies.keys' has no key`)
    for (const name of signed.names) cookies.signed.add(name)
  }
}

function mistake(problem: string): WebOptionError {
  return new WebOptionError('CLO_ERR_WEB_OPTION', problem)
}

/** Reads which names a schema of cookies marks. */
function markedNames(cookies: SchemaLocation, scope: SchemaScope, label: string): readonly string[] {
  const names = new Set<string>()
  for (const { at, schema } of schemasInPlace(cookies, scope)) {
    const { properties } = schema
    for (const name of isRecord(properties) ? Object.keys(properties) : []) {
      const one = schemasInPlace(childLocation(at, ['properties', name]), scope)
      if ([...one].some((part) => part.schema[MARK] === true)) names.add(name)
    }
    const lost = Object.keys(schema).find((keyword) => !IS_READ.has(keyword) && holdsMark(schema[keyword]))
    if (lost !== undefined)
      throw mistake(
        `'${MARK}' below '${lost}' in the cookies of ${label} belongs to no cookie; mark each name in 'properties'`,
      )
  }
  return [...names]
}

/** Keywords that are read, or hold schemas that only references lead to. */
const IS_READ: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
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
