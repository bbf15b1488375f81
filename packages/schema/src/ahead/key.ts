import type { SchemaEngineOptions, SerializationMode } from '../options.ts'

/*
 * A key says all that a function depends on: the settings of its engine, the text of its schema, and the texts of the
 * shared schemas that this refers to. So it is the same in another process; and where anything differs, it differs.
 */

/** What keys are for. `nullable` is whether a schema allows `null`. */
export type KeyKind = 'validator' | 'serializer' | 'nullable'

/** A shared schema of a key. */
export interface KeyedSchema {
  readonly id: string
  /** Undefined if JSON cannot represent it. */
  readonly text: string | undefined
}

/** The settings that change what validators accept; undefined if JSON cannot represent them. */
export function validatorSettings(options: SchemaEngineOptions): string | undefined {
  const { ajv = {}, unionErrors, unionRemoval, integers, errorLimit, jsonSchemaDialect } = options
  const { customOptions = {}, plugins = [], onCreate, mode } = ajv
  if (plugins.length > 0 || onCreate !== undefined || mode !== undefined || !isJson(customOptions)) return
  return JSON.stringify([customOptions, unionErrors, unionRemoval, integers, errorLimit, jsonSchemaDialect])
}

/** The settings that change what serializers write. */
export function serializerSettings(
  mode: SerializationMode,
  { serializerOpts = {}, jsonSchemaDialect }: SchemaEngineOptions,
): string {
  const { rounding, largeArraySize, largeArrayMechanism } = serializerOpts
  return JSON.stringify([mode, jsonSchemaDialect, rounding, String(largeArraySize), largeArrayMechanism])
}

/** The text of a schema; undefined if JSON cannot represent it. */
export function textOf(schema: unknown): string | undefined {
  return schema !== undefined && isJson(schema) ? JSON.stringify(schema) : undefined
}

/** The key of a function; undefined if JSON cannot represent its schema. */
export function keyOf(
  kind: KeyKind,
  settings: string,
  text: string | undefined,
  shared: readonly KeyedSchema[] = [],
): string | undefined {
  const hash = new Hash()
  for (const one of [kind, settings, text, ...shared.flatMap((entry) => [entry.id, entry.text])]) {
    if (one === undefined) return undefined
    hash.add(one)
  }
  return hash.digest()
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null)
    return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint'
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === Array.prototype || prototype === null
  return isPlain && Object.values(value).every(isJson)
}

/** Ninety-six bits of texts: enough that no two schemas of an app share a key by chance. */
class Hash {
  #a: number = 0x9e3779b9
  #b: number = 0x85ebca6b
  #c: number = 0xc2b2ae35

  add(text: string): void {
    let [a, b, c] = [this.#a, this.#b, this.#c]
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      a = Math.imul(a ^ unit, 0x01000193)
      b = Math.imul(b + unit, 0x2c1b3c6d) ^ (b >>> 15)
      c = Math.imul((c << 5) ^ unit, 0x297a2d39) + (c >>> 11)
    }
    // The lengths keep ['a', 'bc'] and ['ab', 'c'] apart.
    this.#a = Math.imul(a ^ text.length, 0x7feb352d)
    this.#b = Math.imul(b ^ text.length, 0x846ca68b)
    this.#c = Math.imul(c ^ text.length, 0x45d9f3b3)
  }

  digest(): string {
    return [this.#a, this.#b, this.#c].map((lane) => ((lane ^ (lane >>> 16)) >>> 0).toString(36)).join('_')
  }
}
