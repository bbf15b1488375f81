import { compileExpression, type Expression } from '@cloister/schema'

import { isFunction } from '../guards.ts'
import { checkVersion } from '../options/check-options.ts'

/** Finds the value stored for a value of a constraint. */
export interface ConstraintStore {
  get(value: unknown): unknown
  set(value: unknown, stored: number): void
}

/** Selects one of several routes with the same path by a property of the request. */
export interface Strategy {
  readonly name: string
  /** a request with a value only matches routes with this constraint */
  readonly mustMatchWhenDerived?: boolean
  readonly storage: () => ConstraintStore
  readonly validate?: (value: unknown) => void
  readonly deriveConstraint: (
    request: unknown,
    context: unknown,
    done?: (error: unknown, value?: unknown) => void,
  ) => unknown
}

/** Whether a strategy calls back with its value. */
export function callsBack({ deriveConstraint }: { readonly deriveConstraint?: unknown }): boolean {
  return isFunction(deriveConstraint) && deriveConstraint.length === 3
}

/** The members of a request that built-in strategies read. */
interface WithHeaders {
  readonly headers: Readonly<Record<string, unknown>>
}

function hasHeaders(request: unknown): request is WithHeaders {
  return typeof request === 'object' && request !== null && 'headers' in request
}

function headerOf(request: unknown, name: string): unknown {
  return hasHeaders(request) ? request.headers[name] : undefined
}

/** Selects by host: a text or a regular expression. */
export const hostStrategy: Strategy = {
  name: 'host',
  storage: () => new HostStore(),
  validate(value) {
    if (typeof value === 'string' || value instanceof RegExp) return
    if (Object.prototype.toString.call(value) === '[object RegExp]') return
    throw new Error('Host should be a string or a RegExp')
  },
  deriveConstraint: (request) => headerOf(request, 'host') || headerOf(request, ':authority'),
}

class HostStore implements ConstraintStore {
  readonly #hosts = new Map<unknown, number>()
  readonly #patterns: { readonly pattern: Expression; readonly stored: number }[] = []

  get(host: unknown): number | undefined {
    const exact = this.#hosts.get(host)
    if (exact !== undefined || this.#patterns.length === 0) return exact
    const text = String(host)
    return this.#patterns.find(({ pattern }) => pattern.test(text))?.stored
  }

  set(host: unknown, stored: number): void {
    if (!(host instanceof RegExp)) {
      this.#hosts.set(host, stored)
      return
    }
    // A pattern with the flag `g` or `y` would miss every other request.
    const pattern = compileExpression(host.source, host.flags.replace(/[dgy]/g, ''))
    this.#patterns.push({ pattern, stored })
  }
}

/**
 * Selects by the header `Accept-Version`: an exact version, or a range such as `1.x`, which selects the highest one.
 */
export const versionStrategy: Strategy = {
  name: 'version',
  mustMatchWhenDerived: true,
  storage: () => new VersionStore(),
  validate: checkVersion,
  deriveConstraint: (request) => headerOf(request, 'accept-version'),
}

class VersionStore implements ConstraintStore {
  readonly #stored = new Map<unknown, number>()
  /** the highest number that was stored under a prefix: `''`, `1`, `1.2` */
  readonly #highest = new Map<string, number>()

  get(version: unknown): number | undefined {
    return this.#stored.get(version)
  }

  set(version: unknown, stored: number): void {
    const [first = '', ...rest] = String(version).split('.', 3)
    const major = Number(first)
    if (Number.isNaN(major)) throw new TypeError('Major version must be a numeric value')
    const minor = Number(rest[0]) || 0
    const patch = Number(rest[1]) || 0
    if (this.#isHighest('', major)) this.#setAll(['x', '*', 'x.x', 'x.x.x'], stored)
    if (this.#isHighest(`${major}`, minor)) this.#setAll([`${major}.x`, `${major}.x.x`], stored)
    if (this.#isHighest(`${major}.${minor}`, patch)) this.#setAll([`${major}.${minor}.x`], stored)
    this.#setAll([`${major}.${minor}.${patch}`], stored)
  }

  #isHighest(prefix: string, number: number): boolean {
    if (number < (this.#highest.get(prefix) ?? 0)) return false
    this.#highest.set(prefix, number)
    return true
  }

  #setAll(versions: readonly string[], stored: number): void {
    for (const version of versions) this.#stored.set(version, stored)
  }
}
