import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What Ajv made of a value, as a comparison needs it. */
export interface Expected {
  readonly valid: boolean
  readonly isChanged: boolean
  readonly errors: number
  /** Verdict, data and errors as text. */
  readonly text: string
}

/** What Ajv made of values, by their text. `null` where its code fails. */
export type Verdicts = Record<string, Expected | null>

/**
 * Verdicts of Ajv in a file, because it compiles each schema for longer than both validate its values. A run of
 * mutation tests makes the same comparisons a thousand times.
 */
export class KeptVerdicts {
  readonly #file: string | undefined
  readonly #isKept: boolean
  /** `null` for a schema that Ajv does not take. */
  readonly #bySchema: Map<string, Verdicts | null>

  /** @param file - is read where it exists, and written otherwise; without one nothing is kept */
  constructor(file: string | undefined) {
    this.#file = file
    this.#isKept = file !== undefined && existsSync(file)
    this.#bySchema = new Map(this.#isKept ? JSON.parse(readFileSync(String(file), 'utf8')) : [])
  }

  /** The verdicts about one schema; `undefined` where it has not been compared yet. */
  find(key: string): Verdicts | null | undefined {
    return this.#bySchema.get(key)
  }

  /** Keeps the verdicts about one schema. */
  keep(key: string, verdicts: Verdicts | null): void {
    if (this.#file !== undefined) this.#bySchema.set(key, verdicts)
  }

  /** Writes the file, once. */
  write(): void {
    if (this.#file !== undefined && !this.#isKept) {
      writeFileSync(this.#file, JSON.stringify([...this.#bySchema]))
    }
  }
}

/** A short name of what a comparison is made of. */
export function keyOf(...parts: readonly unknown[]): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('base64')
}
