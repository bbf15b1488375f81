import { code, property, type Code } from '../codegen/code.ts'
import { cloneSchema } from '../store/clone.ts'
import type { Block } from '../walk/code.ts'
import type { Container } from '../walk/value.ts'

/**
 * The defaults of properties, or of the items of a tuple. Ajv fills them in before it looks at any keyword of an object
 * or array. A name that objects inherit is not missing.
 */
export class Defaults {
  readonly #entries: readonly (readonly [key: string | number, value: unknown])[]

  constructor(entries: readonly (readonly [key: string | number, value: unknown])[]) {
    this.#entries = entries
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Writes the test that none is to be filled in. */
  emitLacks(object: Code, { writer, defer }: Block): void {
    for (const [key] of this.#entries) writer.line(code`if (${property(object, key)} === undefined) ${defer}`)
  }

  /** Whether one is to be filled in. */
  lackIn(data: Readonly<Container>): boolean {
    for (const [key] of this.#entries) if (data[key] === undefined) return true
    return false
  }

  /** Fills them in; requests share no object. */
  fill(data: Container): void {
    for (const [key, value] of this.#entries) if (data[key] === undefined) data[key] = cloneSchema(value)
  }
}
