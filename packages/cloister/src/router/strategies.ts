import type { Expression } from '@cloister/schema'
import { compileExpression } from '@cloister/schema/internal'

import { isRecord } from '../guards.ts'
import { checkVersion } from '../options/check-version.ts'
import type { ConstraintStore, Strategy } from './constraints.ts'

/** Returns the strategies that every router has, by name. */
export function builtInStrategies(): ReadonlyMap<string, Strategy> {
  return new Map([versionStrategy, hostStrategy].map((one) => [one.name, one]))
}

function headerOf(request: unknown, name: string): unknown {
  const headers = isRecord(request) ? request['headers'] : undefined
  return isRecord(headers) ? headers[name] : undefined
}

/** Selects by host: a text or a regular expression. */
const hostStrategy: Strategy = {
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
const versionStrategy: Strategy = {
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
