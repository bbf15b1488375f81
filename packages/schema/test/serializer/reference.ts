/**
 * What a serializer must write, said a second time and as simply as possible: no code generation, no
 * intermediate representation. JSON values only, the keywords of `arbitraries.ts`.
 */

type Schema = boolean | { readonly [keyword: string]: unknown }

/** The part of a JSON value that a schema declares. */
export function projection(root: Schema, value: unknown, mode: 'compat' | 'strict'): unknown {
  return new Reference(root, mode).project([root], value)
}

class Reference {
  readonly #root: Schema
  readonly #mode: 'compat' | 'strict'

  constructor(root: Schema, mode: 'compat' | 'strict') {
    this.#root = root
    this.#mode = mode
  }

  project(schemas: readonly Schema[], value: unknown): unknown {
    const applied = schemas.flatMap((schema) => this.#apply(schema, value))
    if (Array.isArray(value)) return this.#projectArray(applied, value)
    return isRecord(value) ? this.#projectObject(applied, value) : value
  }

  /** The schemas that say something about a value: references followed, unions and conditions decided. */
  #apply(schema: Schema, value: unknown): readonly Record<string, unknown>[] {
    if (typeof schema === 'boolean') return []
    if (typeof schema['$ref'] === 'string') return this.#apply(this.#resolve(schema['$ref']), value)
    const applied: Record<string, unknown>[] = [schema]
    for (const part of schemasOf(schema['allOf'])) applied.push(...this.#apply(part, value))
    for (const keyword of ['anyOf', 'oneOf']) {
      const branch = schemasOf(schema[keyword]).find((candidate) => this.#accepts(candidate, value))
      if (branch !== undefined) applied.push(...this.#apply(branch, value))
    }
    if (schema['if'] !== undefined) {
      const outcome = this.#accepts(asSchema(schema['if']), value) ? schema['then'] : schema['else']
      if (outcome !== undefined) applied.push(...this.#apply(asSchema(outcome), value))
    }
    return applied
  }

  #projectArray(applied: readonly Record<string, unknown>[], value: readonly unknown[]): unknown {
    return value.map((item, index) => {
      const below = applied.flatMap((schema) => {
        const { items, additionalItems } = schema
        if (!Array.isArray(items)) return items === undefined ? [] : [asSchema(items)]
        if (index < items.length) return [asSchema(items[index])]
        return additionalItems === undefined ? [] : [asSchema(additionalItems)]
      })
      return this.project(below, item)
    })
  }

  #projectObject(applied: readonly Record<string, unknown>[], value: Record<string, unknown>): unknown {
    const declares = ['properties', 'patternProperties', 'additionalProperties']
    if (!applied.some((schema) => declares.some((keyword) => schema[keyword] !== undefined))) return value
    const entries = Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
      const below = this.#schemasOfProperty(applied, key)
      return below === undefined ? [] : [[key, this.project(below, entry)]]
    })
    for (const schema of applied) {
      for (const [key, property] of Object.entries(recordOf(schema['properties']))) {
        const filled = recordOf(property)['default']
        if (filled !== undefined && !Object.hasOwn(value, key)) entries.push([key, filled])
      }
    }
    return Object.fromEntries(entries)
  }

  /** The schemas of one property; nothing when the property is not declared. */
  #schemasOfProperty(
    applied: readonly Record<string, unknown>[],
    key: string,
  ): readonly Schema[] | undefined {
    const declared = applied.filter((schema) => Object.hasOwn(recordOf(schema['properties']), key))
    if (declared.length > 0) return declared.map((schema) => asSchema(recordOf(schema['properties'])[key]))
    for (const schema of applied) {
      for (const [pattern, inner] of Object.entries(recordOf(schema['patternProperties']))) {
        if (new RegExp(pattern, 'u').test(key)) return [asSchema(inner)]
      }
    }
    const additional = applied.flatMap((schema) =>
      schema['additionalProperties'] === undefined ? [] : [asSchema(schema['additionalProperties'])],
    )
    if (additional.length > 0) return additional.includes(false) ? undefined : additional
    if (this.#mode === 'compat') return undefined
    // What is required is promised to clients.
    return applied.some(({ required }) => Array.isArray(required) && required.includes(key)) ? [] : undefined
  }

  /** As much of validation as decides the unions of the generated schemas. */
  #accepts(schema: Schema, value: unknown): boolean {
    if (typeof schema === 'boolean') return schema
    if (typeof schema['$ref'] === 'string') return this.#accepts(this.#resolve(schema['$ref']), value)
    if (schema['nullable'] === true && value === null) return true
    const { type, const: constant, required } = schema
    if (constant !== undefined && constant !== value) return false
    if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) return false
    if (type !== undefined && ![type].flat().some((name) => isOfType(name, value))) return false
    if (!isRecord(value)) return true
    if (Array.isArray(required) && required.some((name) => !Object.hasOwn(value, name))) return false
    return Object.entries(recordOf(schema['properties'])).every(
      ([name, inner]) => !Object.hasOwn(value, name) || this.#accepts(asSchema(inner), value[name]),
    )
  }

  #resolve(ref: string): Schema {
    let found: unknown = this.#root
    for (const step of ref.split('/').slice(1)) found = recordOf(found)[step]
    return asSchema(found)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'object' ? isRecord(value) : typeof value === type
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function asSchema(value: unknown): Schema {
  return typeof value === 'boolean' ? value : recordOf(value)
}

function schemasOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.map(asSchema) : []
}
