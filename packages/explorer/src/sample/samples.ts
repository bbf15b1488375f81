import { createSchemaEngine } from '@cloister/schema'
import type { SchemaEngine } from '@cloister/schema'
import { typesOfRules } from '@cloister/schema/internal'

import type { Schema, SchemaRows } from '../schema-rows.ts'
import { listsOf, objectsOf } from './containers.ts'
import { isRecord, listOf, merge } from './merge.ts'
import { numbersOf } from './numbers.ts'
import { textsOf } from './sample-text.ts'

/** From this nesting on, lists are empty and objects have only what they need, so that recursive schemas end. */
const DEEPEST = 5
/** At this nesting nothing is tried any more. */
const BOTTOM = 12
/** The maximum number of values that are tried for a schema, and of those that one within another is given for. */
const MAX_TRIED = 60
const MAX_KEPT = 12

/** Keywords of which a value that is made by the others may fail one. */
const COMBINING = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'propertyNames', 'patternProperties', 'contains']

/** Makes values that schemas of a document accept. The same schema gives the same value. */
export class Samples {
  readonly #rows: SchemaRows
  readonly #engine: SchemaEngine
  readonly #definitions: unknown
  readonly #judges: WeakMap<object, (value: unknown) => boolean> = new WeakMap()

  /**
   * @param rows - resolves references
   * @param schemas - those of the document's components, for references
   */
  constructor(rows: SchemaRows, schemas: unknown) {
    this.#rows = rows
    this.#definitions = withDefinitions(schemas ?? {})
    const customOptions = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const
    this.#engine = createSchemaEngine({ ajv: { customOptions }, jsonSchemaDialect: '2020-12' })
  }

  /** Returns a value that the schema accepts; `undefined` if none is found. */
  of(schema: unknown): unknown {
    return this.#tried(schema, 0).find((value) => this.#accepts(schema, value))
  }

  /** Returns values for a schema within another one. */
  #below(schema: unknown, depth: number): readonly unknown[] {
    if (schema === false || depth > BOTTOM) return []
    const tried = this.#tried(schema, depth)
    const isCombined = COMBINING.some((keyword) => keyword in this.#rows.resolve(schema))
    const kept = isCombined ? tried.filter((value) => this.#accepts(schema, value)) : tried
    return kept.slice(0, MAX_KEPT)
  }

  #tried(schema: unknown, depth: number): readonly unknown[] {
    return this.#candidates(this.#rows.resolve(schema), depth).slice(0, MAX_TRIED)
  }

  #candidates(schema: Schema, depth: number): unknown[] {
    const { allOf, anyOf, oneOf, if: condition, then: met, else: unmet, ...own } = schema
    const given = this.#given(own)
    const base = listOf(allOf).reduce((all: Schema, one) => merge(all, this.#rows.resolve(one)), own)
    // What is merged may have branches itself.
    if (listOf(allOf).length > 0 && depth <= BOTTOM) {
      const rest = Object.fromEntries(
        Object.entries({ anyOf, oneOf, if: condition, then: met, else: unmet }).filter(
          ([, value]) => value !== undefined,
        ),
      )
      return [...given, ...this.#candidates(merge(base, rest), depth + 1)]
    }
    const branches = [...listOf(anyOf), ...listOf(oneOf)]
    const parts = branches.length > 0 ? branches : conditional(condition, met, unmet)
    if (parts.length === 0 || depth > BOTTOM) return [...given, ...this.#ofTypes(own, depth)]
    const lists = parts.map((part) =>
      this.#candidates(merge(own, this.#rows.resolve(part)), depth + 1).slice(0, MAX_KEPT),
    )
    return [...given, ...lists.flat()]
  }

  /** Values that the schema names itself. */
  #given(schema: Schema): unknown[] {
    if ('const' in schema) return [schema['const']]
    const { default: preset, example, examples, enum: values } = schema
    return [preset, example, ...listOf(examples), ...listOf(values)].filter((value) => value !== undefined)
  }

  #ofTypes(schema: Schema, depth: number): unknown[] {
    if ('const' in schema || Array.isArray(schema['enum'])) return []
    const { type } = schema
    const types = type === undefined ? likelyTypes(schema) : [type].flat()
    return types.flatMap((one) => this.#ofType(String(one), schema, depth))
  }

  #ofType(type: string, schema: Schema, depth: number): unknown[] {
    const below = (inner: unknown): readonly unknown[] => this.#below(inner, depth + 1)
    switch (type) {
      case 'null':
        return [null]
      case 'boolean':
        return [true, false]
      case 'integer':
      case 'number':
        return numbersOf(schema, type === 'integer')
      case 'string':
        return textsOf(schema)
      case 'array':
        return depth > DEEPEST ? [[], ...listsOf(schema, below)] : listsOf(schema, below)
      default:
        return objectsOf(schema, below, depth > 0 && depth <= DEEPEST)
    }
  }

  #accepts(schema: unknown, value: unknown): boolean {
    if (!isRecord(schema)) return schema !== false
    let judge = this.#judges.get(schema)
    if (judge === undefined) {
      judge = this.#compile(schema)
      this.#judges.set(schema, judge)
    }
    return judge(structuredClone(value))
  }

  #compile(schema: Schema): (value: unknown) => boolean {
    const store = this.#engine.createStore()
    try {
      const validate = this.#engine.compileValidator({
        schema: { ...withDefinitions(schema), $defs: this.#definitions },
        httpPart: 'sample',
        store,
      })
      return (value) => validate(value) === true
    } catch {
      // A schema that the engine refuses has no sample: the field stays empty.
      return () => false
    }
  }
}

/** Returns a schema that has those of the document in `$defs`: only a document has `components`. */
function withDefinitions(schema: unknown): object {
  const moved = (key: string, value: unknown): unknown =>
    key === '$ref' && typeof value === 'string'
      ? value.replace(/^#\/components\/schemas\//, '#/$defs/')
      : value
  const copy: unknown = JSON.parse(JSON.stringify(schema), moved)
  return isRecord(copy) ? copy : {}
}

function conditional(condition: unknown, met: unknown, unmet: unknown): readonly unknown[] {
  if (!isRecord(condition)) return []
  return [{ allOf: [condition, met ?? {}] }, unmet ?? {}, {}]
}

/** All types, those first that the rules of a schema without `type` are about. */
function likelyTypes(schema: Schema): string[] {
  return [...new Set([...typesOfRules(schema), 'string', 'number', 'object', 'array', 'boolean', 'null'])]
}
