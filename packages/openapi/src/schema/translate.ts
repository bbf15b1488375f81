import { childLocation } from '@cloister/schema'
import type { SchemaLocation } from '@cloister/schema'

import { entriesOf, isJson, isRecord } from '../guards.ts'
import type { JsonSchema } from '../types.ts'
import type { Components, ComponentUse } from './components.ts'
import { tableOf } from './dialect.ts'
import type { Treatment } from './dialect.ts'

/** Where a schema is used, and how to report a problem with it. */
export interface SchemaUse extends ComponentUse {
  /** Keys of the schema that belong to something else. */
  readonly without?: readonly string[]
  /** Whether it describes what the app sends. Serializers read `nullable` otherwise than validators. */
  readonly isSent: boolean
}

type Draft = Record<string, unknown>

/** Writes schemas of any dialect in 2020-12, with their references to components. */
export class Translator {
  readonly #components: Components

  constructor(components: Components) {
    this.#components = components
  }

  /** @throws the error of `use.refuse` when the document cannot express the schema */
  translate(at: SchemaLocation, use: SchemaUse): JsonSchema {
    const { schema, pointer } = at
    // Many tools for OpenAPI know no boolean schemas.
    if (typeof schema === 'boolean') return schema ? {} : { not: {} }
    if (!isRecord(schema)) throw use.refuse(pointer, 'it is no JSON Schema')
    const table = tableOf(at.document)
    const draft: Draft = {}
    for (const [key, value] of Object.entries(schema)) {
      if (value === undefined || (use.without?.includes(key) === true && pointer === '')) continue
      const treat = TREATMENTS[table.get(key) ?? 'data']
      treat({ at, key, value, draft, use, translator: this })
    }
    return use.isSent && schema['nullable'] === true ? admittingNull(draft) : draft
  }

  /** Writes a whole schema; one that refers to itself becomes a component. */
  translateRoot(at: SchemaLocation, use: SchemaUse): JsonSchema {
    const written = this.translate(at, use)
    const reference = this.#components.find(at, use)
    return reference === undefined ? written : { $ref: reference }
  }

  /** Writes the components that have been referred to, and those that they refer to in turn. */
  writeComponents(): void {
    for (
      let next = this.#components.takePending();
      next !== undefined;
      next = this.#components.takePending()
    ) {
      const { name, location, use } = next
      const { sharedId = '' } = location.document
      const refuse: SchemaUse['refuse'] = (pointer, reason) => use.refuse(`${sharedId}#${pointer}`, reason)
      this.#components.set(
        name,
        this.translate(location, {
          scope: use.scope,
          localName: name,
          refuse,
          isSent: this.#components.isSent(location, use),
        }),
      )
    }
  }

  below(at: SchemaLocation, keys: readonly string[], use: SchemaUse): JsonSchema {
    return this.translate(childLocation(at, keys), use)
  }

  /** Returns the reference to the target of a `$ref`; undefined if there is none. */
  reference(at: SchemaLocation, ref: string, use: SchemaUse): string | undefined {
    const target = use.scope.resolve(at, ref)
    return target === undefined ? undefined : this.#components.referTo(target, use)
  }
}

interface KeywordUse {
  readonly at: SchemaLocation
  readonly key: string
  readonly value: unknown
  readonly draft: Draft
  readonly use: SchemaUse
  readonly translator: Translator
}

const META_SCHEMA = /^https?:\/\/json-schema\.org\/(?:draft-0\d\/|draft\/[\d-]+\/)?schema#?$/

/** Keywords that close an object or list with `false`, which every tool knows. */
const MAY_BE_BOOLEAN: ReadonlySet<string> = new Set(
  'additionalProperties unevaluatedProperties unevaluatedItems items'.split(' '),
)

const TREATMENTS: Readonly<Record<Treatment, (keyword: KeywordUse) => void>> = {
  data: copy,
  drop: () => {},
  limit: (keyword) => {
    const { value, at, key, use } = keyword
    if (isRecord(value) && '$data' in value) {
      throw use.refuse(`${at.pointer}/${key}`, `"${key}" takes its value from the data ("$data")`)
    }
    copy(keyword)
  },
  refuse: ({ at, key, use }) => {
    throw use.refuse(
      `${at.pointer}/${key}`,
      `"${key}" leads to a schema that depends on the one it is reached from; "$ref" always leads to the same`,
    )
  },
  schema: ({ at, key, value, draft, use, translator }) => {
    draft[key] =
      MAY_BE_BOOLEAN.has(key) && typeof value === 'boolean' ? value : translator.below(at, [key], use)
  },
  list: ({ at, key, value, draft, use, translator }) => {
    const list: unknown[] = Array.isArray(value) ? value : []
    draft[key] = list.map((_, index) => translator.below(at, [key, String(index)], use))
  },
  map: ({ at, key, value, draft, use, translator }) => {
    draft[key] = mapOf(at, key, Object.keys(isRecord(value) ? value : {}), use, translator)
  },
  reference: ({ at, key, value, draft, use, translator }) => {
    if (typeof value !== 'string') throw use.refuse(`${at.pointer}/${key}`, `"${key}" must be a string`)
    const reference = translator.reference(at, value, use)
    if (reference !== undefined) draft['$ref'] = reference
    else if (META_SCHEMA.test(value)) draft['type'] = ['object', 'boolean']
    else throw use.refuse(`${at.pointer}/${key}`, `"$ref": "${value}" leads nowhere`)
  },
  items: ({ at, key, value, draft, use, translator }) => {
    if (!Array.isArray(value)) {
      draft['items'] = translator.below(at, [key], use)
      return
    }
    const list: unknown[] = value
    if (list.length > 0) {
      draft['prefixItems'] = list.map((_, index) => translator.below(at, [key, String(index)], use))
    }
    if (!isRecord(at.schema)) return
    const { additionalItems } = at.schema
    if (additionalItems === false) draft['items'] = false
    else if (additionalItems !== undefined) draft['items'] = translator.below(at, ['additionalItems'], use)
  },
  dependencies: ({ at, key, value, draft, use, translator }) => {
    const entries = entriesOf(value)
    const names = entries.filter(([, one]) => Array.isArray(one))
    const schemas = entries.filter(([, one]) => !Array.isArray(one)).map(([name]) => name)
    if (names.length > 0) draft['dependentRequired'] = Object.fromEntries(names)
    if (schemas.length > 0) draft['dependentSchemas'] = mapOf(at, key, schemas, use, translator)
  },
  type: (keyword) => {
    const { at, value, draft, use } = keyword
    const allowsNull =
      isRecord(at.schema) && at.schema['nullable'] === true && (use.isSent || !hasOtherValues(at.schema))
    const types: unknown[] = [value].flat()
    draft['type'] = allowsNull && !types.includes('null') ? [...types, 'null'] : value
  },
  nullable: () => {},
  example: (keyword) => {
    const { at, value, draft } = keyword
    if (isRecord(at.schema) && at.schema['examples'] === undefined) draft['examples'] = [value]
  },
  // Draft-04 has a flag beside the limit.
  exclusive: (keyword) => {
    const { at, key, value, draft } = keyword
    if (typeof value !== 'boolean') {
      TREATMENTS.limit(keyword)
      return
    }
    const limit = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    if (value && isRecord(at.schema)) draft[key] = at.schema[limit]
  },
  // The marker that a form parser sets for a file.
  file: ({ value, draft }) => {
    if (value === true) Object.assign(draft, { type: 'string', format: 'binary' })
  },
  uncheckedFormat: ({ value, draft }) => {
    draft['format'] = value
  },
  discriminator: (keyword) => {
    const { at, value, draft, use, translator } = keyword
    if (!isRecord(value) || !isRecord(value['mapping'])) {
      copy(keyword)
      return
    }
    const mapping = entriesOf(value['mapping']).map(([name, ref]): [string, unknown] => [
      name,
      typeof ref === 'string' ? (translator.reference(at, ref, use) ?? ref) : ref,
    ])
    draft['discriminator'] = { ...value, mapping: Object.fromEntries(mapping) }
  },
}

/** Whether validators refuse null although the schema is `nullable`: generators of clients believe the type. */
function hasOtherValues(schema: Readonly<Record<string, unknown>>): boolean {
  const { enum: values, const: value = null } = schema
  return value !== null || (Array.isArray(values) && !values.includes(null))
}

/** Keywords of a draft that may refuse null, whatever its `type` is. */
const REFUSING_NULL = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const']
/** Keywords that stay beside the choice between the schema and null. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  'title description default example examples deprecated readOnly writeOnly'.split(' '),
)

/** Admits null to a schema of what a serializer writes: with `nullable` it writes null, whatever stands beside it. */
function admittingNull(draft: Draft): Draft {
  const refusing = REFUSING_NULL.filter((key) => key in draft)
  if (refusing.length === 0) return draft
  const { enum: values, const: value, ...rest } = draft
  if (refusing.every((key) => key === 'enum' || key === 'const')) {
    const all: unknown[] = 'const' in draft ? [value] : Array.isArray(values) ? values : []
    return { ...rest, enum: all.includes(null) ? all : [...all, null] }
  }
  const entries = Object.entries(draft)
  const own = Object.fromEntries(entries.filter(([key]) => !ANNOTATIONS.has(key)))
  const texts = entries.filter(([key]) => ANNOTATIONS.has(key))
  return { ...Object.fromEntries(texts), anyOf: [own, { type: 'null' }] }
}

function copy({ at, key, value, draft, use }: KeywordUse): void {
  if (!isJson(value)) throw use.refuse(`${at.pointer}/${key}`, `the value of "${key}" is no JSON`)
  draft[key] = value
}

function mapOf(
  at: SchemaLocation,
  key: string,
  names: readonly string[],
  use: SchemaUse,
  translator: Translator,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, translator.below(at, [key, name], use)]))
}
