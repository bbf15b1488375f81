import { setProperty } from '../runtime/replay.ts'
import { code, property, type Code } from '../codegen/code.ts'
import { isObject } from '../guards.ts'
import { cloneSchema } from '../store/clone.ts'
import type { Block } from './code.ts'

/** The default of a property or item; undefined if there is none. */
type Entry = readonly [key: string | number, value: unknown]

/**
 * The defaults of properties, or of the items of a tuple. Ajv sets them before it checks any keyword of an object or
 * array. A name that objects inherit is not missing.
 */
export class Defaults {
  readonly #entries: readonly Entry[]

  constructor(entries: readonly Entry[]) {
    this.#entries = entries
  }

  /** Writes the test that no default must be set. */
  emitLacks(object: Code, { writer, defer }: Block): void {
    for (const [key] of this.#entries) writer.line(code`if (${property(object, key)} === undefined) ${defer}`)
  }

  /** Whether a default must be set. A look that may not edit leaves the value to a walk. */
  lackIn(data: unknown): boolean {
    if (isObject(data)) for (const [key] of this.#entries) if (data[key] === undefined) return true
    return false
  }

  /** Sets the defaults; copies objects, because requests must not share them. */
  fill(data: unknown): void {
    if (!isObject(data)) return
    for (const [key, value] of this.#entries)
      if (data[key] === undefined) setProperty(data, key, cloneSchema(value))
  }
}

/** Returns the defaults among entries; undefined if there are none. */
export function defaultsOf(entries: readonly Entry[]): Defaults | undefined {
  const given = entries.filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : new Defaults(given)
}
