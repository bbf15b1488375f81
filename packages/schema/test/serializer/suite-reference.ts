/** The projection of a value onto any draft-07 schema, with Ajv as the judge of unions and conditions. */
import { Ajv } from 'ajv'
import { isSchemaObject } from '../../src/guards.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from '../../src/document/location.ts'

const DECLARING = ['properties', 'patternProperties', 'additionalProperties']

/** A reference implementation for the schema at one location. */
export class SuiteReference {
  readonly #scope: SchemaScope
  readonly #root: SchemaLocation
  readonly #ajv = new Ajv({ strict: false, validateFormats: false, ownProperties: true })

  constructor(scope: SchemaScope, root: SchemaLocation, remotes: ReadonlyMap<string, unknown>) {
    this.#scope = scope
    this.#root = root
    for (const [id, remote] of remotes)
      if (isSchemaObject(remote) && this.#ajv.getSchema(id) === undefined) this.#ajv.addSchema(remote, id)
  }

  /** The part of the value that the schema declares. */
  project(value: unknown): unknown {
    return this.#project([this.#root], value)
  }

  #project(locations: readonly SchemaLocation[], value: unknown): unknown {
    const applied = locations.flatMap((location) => this.#apply(location, value, new Set()))
    if (Array.isArray(value))
      return value.map((item, index) => this.#project(itemPlaces(applied, index), item))
    return isSchemaObject(value) ? this.#projectObject(applied, value) : value
  }

  #apply(location: SchemaLocation, value: unknown, seen: ReadonlySet<unknown>): readonly SchemaLocation[] {
    const { schema } = location
    if (!isSchemaObject(schema) || seen.has(schema)) return []
    const below = new Set([...seen, schema])
    const ref = schema['$ref']
    if (typeof ref === 'string') {
      const target = this.#scope.resolve(location, ref)
      return target === undefined ? [] : this.#apply(target, value, below)
    }
    const applied = [location]
    applied.push(...listPlaces(location, 'allOf').flatMap((part) => this.#apply(part, value, below)))
    for (const keyword of ['anyOf', 'oneOf']) {
      const accepting = listPlaces(location, keyword).filter((branch) => this.#accepts(branch, value))
      const options = accepting.map((branch) => this.#apply(branch, value, below))
      applied.push(...this.#widest([...applied], options, value))
    }
    if (schema['if'] !== undefined) {
      const outcome = this.#accepts(childLocation(location, ['if']), value) ? 'then' : 'else'
      if (schema[outcome] !== undefined)
        applied.push(...this.#apply(childLocation(location, [outcome]), value, below))
    }
    return applied
  }

  /** Of several accepting branches the one that keeps most of the value. */
  #widest(
    common: readonly SchemaLocation[],
    options: readonly (readonly SchemaLocation[])[],
    value: unknown,
  ): readonly SchemaLocation[] {
    if (!isSchemaObject(value) || options.length < 2) return options[0] ?? []
    const kept = options.map(
      (option) => JSON.stringify(this.#projectObject([...common, ...option], value)).length,
    )
    return options[kept.indexOf(Math.max(...kept))] ?? []
  }

  #projectObject(applied: readonly SchemaLocation[], value: Record<string, unknown>): unknown {
    const declares = applied.some(({ schema }) =>
      DECLARING.some((keyword) => keywordOf(schema, keyword) !== undefined),
    )
    if (!declares) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
        const locations = propertyPlaces(applied, key)
        return locations === undefined ? [] : [[key, this.#project(locations, entry)]]
      }),
    )
  }

  #accepts(location: SchemaLocation, value: unknown): boolean {
    const root = location.document.root.schema
    if (typeof location.schema === 'boolean' || !isSchemaObject(root)) return location.schema !== false
    const id = typeof root['$id'] === 'string' ? root['$id'] : 'http://root.test/'
    if (this.#ajv.getSchema(id) === undefined) this.#ajv.addSchema(root, id)
    const validate = this.#ajv.getSchema(`${id}#${location.pointer}`)
    return validate?.(value) === true
  }
}

function keywordOf(schema: unknown, keyword: string): unknown {
  return isSchemaObject(schema) ? schema[keyword] : undefined
}

function listPlaces(location: SchemaLocation, keyword: string): SchemaLocation[] {
  const list = keywordOf(location.schema, keyword)
  return Array.isArray(list) ? list.map((_, index) => childLocation(location, [keyword, index])) : []
}

function itemPlaces(applied: readonly SchemaLocation[], index: number): SchemaLocation[] {
  return applied.flatMap((location) => {
    const items = keywordOf(location.schema, 'items')
    if (!Array.isArray(items)) return items === undefined ? [] : [childLocation(location, ['items'])]
    if (index < items.length) return [childLocation(location, ['items', index])]
    return keywordOf(location.schema, 'additionalItems') === undefined
      ? []
      : [childLocation(location, ['additionalItems'])]
  })
}

/** The schemas of one property; nothing when it is not declared. */
function propertyPlaces(applied: readonly SchemaLocation[], key: string): SchemaLocation[] | undefined {
  const declared = applied.filter(({ schema }) => {
    const properties = keywordOf(schema, 'properties')
    return isSchemaObject(properties) && Object.hasOwn(properties, key)
  })
  if (declared.length > 0) return declared.map((location) => childLocation(location, ['properties', key]))
  for (const location of applied) {
    const patterns = keywordOf(location.schema, 'patternProperties')
    const found = isSchemaObject(patterns)
      ? Object.keys(patterns).find((pattern) => new RegExp(pattern, 'u').test(key))
      : undefined
    if (found !== undefined) return [childLocation(location, ['patternProperties', found])]
  }
  const open = applied.filter(({ schema }) => keywordOf(schema, 'additionalProperties') !== undefined)
  const isClosed = open.some(({ schema }) => keywordOf(schema, 'additionalProperties') === false)
  return open.length === 0 || isClosed
    ? undefined
    : open.map((location) => childLocation(location, ['additionalProperties']))
}
