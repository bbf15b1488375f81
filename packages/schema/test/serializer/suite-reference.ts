/** The projection of a value onto any draft-07 schema, with Ajv as the judge of unions and conditions. */
import { Ajv } from 'ajv'
import { isSchemaObject } from '../../src/guards.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from '../../src/document/location.ts'

const DECLARING = ['properties', 'patternProperties', 'additionalProperties']

/** A reference for the schema at one place. */
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

  #project(places: readonly SchemaLocation[], value: unknown): unknown {
    const applied = places.flatMap((place) => this.#apply(place, value, new Set()))
    if (Array.isArray(value))
      return value.map((item, index) => this.#project(itemPlaces(applied, index), item))
    return isSchemaObject(value) ? this.#projectObject(applied, value) : value
  }

  #apply(place: SchemaLocation, value: unknown, seen: ReadonlySet<unknown>): readonly SchemaLocation[] {
    const { schema } = place
    if (!isSchemaObject(schema) || seen.has(schema)) return []
    const below = new Set([...seen, schema])
    const ref = schema['$ref']
    if (typeof ref === 'string') {
      const target = this.#scope.resolve(place, ref)
      return target === undefined ? [] : this.#apply(target, value, below)
    }
    const applied = [place]
    applied.push(...listPlaces(place, 'allOf').flatMap((part) => this.#apply(part, value, below)))
    for (const keyword of ['anyOf', 'oneOf']) {
      const accepting = listPlaces(place, keyword).filter((branch) => this.#accepts(branch, value))
      const options = accepting.map((branch) => this.#apply(branch, value, below))
      applied.push(...this.#widest([...applied], options, value))
    }
    if (schema['if'] !== undefined) {
      const outcome = this.#accepts(childLocation(place, ['if']), value) ? 'then' : 'else'
      if (schema[outcome] !== undefined)
        applied.push(...this.#apply(childLocation(place, [outcome]), value, below))
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
        const places = propertyPlaces(applied, key)
        return places === undefined ? [] : [[key, this.#project(places, entry)]]
      }),
    )
  }

  #accepts(place: SchemaLocation, value: unknown): boolean {
    const root = place.document.root.schema
    if (typeof place.schema === 'boolean' || !isSchemaObject(root)) return place.schema !== false
    const id = typeof root['$id'] === 'string' ? root['$id'] : 'http://root.test/'
    if (this.#ajv.getSchema(id) === undefined) this.#ajv.addSchema(root, id)
    const validate = this.#ajv.getSchema(`${id}#${place.pointer}`)
    return validate?.(value) === true
  }
}

function keywordOf(schema: unknown, keyword: string): unknown {
  return isSchemaObject(schema) ? schema[keyword] : undefined
}

function listPlaces(place: SchemaLocation, keyword: string): SchemaLocation[] {
  const list = keywordOf(place.schema, keyword)
  return Array.isArray(list) ? list.map((_, index) => childLocation(place, [keyword, index])) : []
}

function itemPlaces(applied: readonly SchemaLocation[], index: number): SchemaLocation[] {
  return applied.flatMap((place) => {
    const items = keywordOf(place.schema, 'items')
    if (!Array.isArray(items)) return items === undefined ? [] : [childLocation(place, ['items'])]
    if (index < items.length) return [childLocation(place, ['items', index])]
    return keywordOf(place.schema, 'additionalItems') === undefined
      ? []
      : [childLocation(place, ['additionalItems'])]
  })
}

/** The schemas of one property; nothing when it is not declared. */
function propertyPlaces(applied: readonly SchemaLocation[], key: string): SchemaLocation[] | undefined {
  const declared = applied.filter(({ schema }) => {
    const properties = keywordOf(schema, 'properties')
    return isSchemaObject(properties) && Object.hasOwn(properties, key)
  })
  if (declared.length > 0) return declared.map((place) => childLocation(place, ['properties', key]))
  for (const place of applied) {
    const patterns = keywordOf(place.schema, 'patternProperties')
    const found = isSchemaObject(patterns)
      ? Object.keys(patterns).find((pattern) => new RegExp(pattern, 'u').test(key))
      : undefined
    if (found !== undefined) return [childLocation(place, ['patternProperties', found])]
  }
  const open = applied.filter(({ schema }) => keywordOf(schema, 'additionalProperties') !== undefined)
  const isClosed = open.some(({ schema }) => keywordOf(schema, 'additionalProperties') === false)
  return open.length === 0 || isClosed
    ? undefined
    : open.map((place) => childLocation(place, ['additionalProperties']))
}
