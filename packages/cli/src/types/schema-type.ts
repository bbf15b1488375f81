import { childLocation, isStandardSchema } from '@cloister/schema'
import { isSchemaObject } from '@cloister/schema/internal'
import type { SchemaLocation } from '@cloister/schema'

import type { NamedTypes, Place, Side } from './named-types.ts'
import { objectType } from './object-type.ts'
import { allOf, anyOf, listOf, literal, NEVER, print, UNKNOWN } from './type-text.ts'
import type { TypeText } from './type-text.ts'

/** The context in which a type is written. */
export interface Writing extends Place {
  readonly names: NamedTypes
  /** the type of files in a form; `null` if there are none */
  readonly file: 'Blob' | 'FormFile' | null
  /** the types of an integer */
  readonly integer: (at: SchemaLocation, side: Side) => readonly IntegerType[]
}

export type IntegerType = 'number' | 'bigint'

/** Returns the same context for a part of a route, which warnings name. */
export function inPart<W extends Place>(writing: W, part: string): W {
  return { ...writing, part }
}

/** Writes the type of a schema; `unknown` if no keyword restricts it. */
export function typeOf(at: SchemaLocation, writing: Writing): TypeText {
  const { schema } = at
  if (schema === false) return NEVER
  if (schema === true || schema === undefined) return UNKNOWN
  if (!isSchemaObject(schema) || isForeign(schema)) {
    writing.warn(writing.part, `${vendorOf(schema)} offers no JSON Schema of it`)
    return UNKNOWN
  }
  const list = (keyword: string): TypeText[] => {
    const entries = schema[keyword]
    return Array.isArray(entries)
      ? entries.map((_, index) => typeOf(childLocation(at, [keyword, index]), writing))
      : []
  }
  const unions = ['anyOf', 'oneOf'].filter((keyword) => Array.isArray(schema[keyword]))
  const type = allOf([
    referenceOf(at, writing),
    ownType(at, writing),
    ...list('allOf'),
    ...unions.map((keyword) => anyOf(list(keyword))),
    conditionOf(at, writing),
  ])
  const admitsNull =
    schema['nullable'] === true && (writing.side !== 'in' || !('enum' in schema || 'const' in schema))
  return admitsNull ? anyOf([type, ['null']]) : type
}

/** Schemas of other libraries are instances of their classes, or identify themselves. */
function isForeign(schema: Record<string, unknown>): boolean {
  if (isStandardSchema(schema)) return true
  const prototype: unknown = Object.getPrototypeOf(schema)
  return prototype !== Object.prototype && prototype !== null
}

function vendorOf(schema: unknown): string {
  const vendor: unknown = isStandardSchema(schema) ? schema['~standard'].vendor : undefined
  return typeof vendor === 'string' && vendor !== '' ? `the library '${vendor}'` : 'its library'
}

function referenceOf(at: SchemaLocation, writing: Writing): TypeText {
  const ref = isSchemaObject(at.schema) ? at.schema['$ref'] : undefined
  if (typeof ref !== 'string') return UNKNOWN
  const target = writing.scope.resolve(at, ref)
  if (target !== undefined) return writing.names.reference(target, writing)
  writing.warn(writing.part, `"$ref": "${ref}" leads nowhere`)
  return UNKNOWN
}

function conditionOf(at: SchemaLocation, writing: Writing): TypeText {
  const { schema } = at
  if (!isSchemaObject(schema) || !('if' in schema) || !('then' in schema) || !('else' in schema))
    return UNKNOWN
  return anyOf(['then', 'else'].map((branch) => typeOf(childLocation(at, [branch]), writing)))
}

function ownType(at: SchemaLocation, writing: Writing): TypeText {
  const { schema } = at
  if (!isSchemaObject(schema)) return UNKNOWN
  const integer = writing.integer(at, writing.side)
  const types = namedTypes(schema)
  const literals = (value: unknown): TypeText => anyOf(integer.map((type) => literal(value, type)))
  if ('const' in schema) return literals(schema['const'])
  const values = schema['enum']
  if (Array.isArray(values)) {
    const fitting = values.filter((value) => types.length === 0 || types.includes(typeName(value)))
    return anyOf((fitting.length === 0 ? values : fitting).map(literals))
  }
  if (types.length === 0) return UNKNOWN
  return anyOf(types.map((type) => (type === 'number' ? integer : typeNamed(type, at, writing))))
}

const KEYWORDS_OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties']
const KEYWORDS_OF_ARRAYS = ['items', 'prefixItems']

/** Returns the names of the types of a schema; without `type`, its keywords imply them. */
function namedTypes(schema: Record<string, unknown>): string[] {
  const { type } = schema
  const names = [type].flat().filter((name) => typeof name === 'string')
  if (names.length > 0) return names.map((name) => (name === 'integer' ? 'number' : name))
  if (KEYWORDS_OF_OBJECTS.some((keyword) => keyword in schema)) return ['object']
  return KEYWORDS_OF_ARRAYS.some((keyword) => keyword in schema) ? ['array'] : []
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function typeNamed(name: string, at: SchemaLocation, writing: Writing): TypeText {
  if (name === 'array') return arrayType(at, writing)
  if (name === 'object') return objectType(at, writing, typeOf)
  if (name === 'string') return [writing.file !== null && isFile(at.schema) ? writing.file : 'string']
  return [name]
}

/** Whether a text is the content of a file: `format: 'binary'` in OpenAPI 3.0, a media type without encoding in 3.1. */
export function isFile(schema: unknown): boolean {
  if (!isSchemaObject(schema)) return false
  return schema['format'] === 'binary' || ('contentMediaType' in schema && !('contentEncoding' in schema))
}

/** Returns a list or a tuple: draft-07 has `items` as a list, 2020-12 `prefixItems`. */
function arrayType(at: SchemaLocation, writing: Writing): TypeText {
  const schema = isSchemaObject(at.schema) ? at.schema : {}
  const below = (...keys: (string | number)[]): TypeText => typeOf(childLocation(at, keys), writing)
  const tuple = ['prefixItems', 'items'].find((keyword) => Array.isArray(schema[keyword]))
  // Files may stream, one after another.
  if (writing.file === 'FormFile' && isFile(schema['items'])) return ['FormFiles']
  if (tuple === undefined) return listOf('items' in schema ? below('items') : UNKNOWN)
  const count = [schema[tuple]].flat().length
  const { minItems } = schema
  const least = typeof minItems === 'number' ? minItems : 0
  const items = Array.from({ length: count }, (_, index) => {
    const item = print(below(tuple, index))
    return index < least ? item : `(${item})?`
  })
  const rest = tuple === 'prefixItems' ? 'items' : 'additionalItems'
  const more = schema[rest] === false ? [] : [`...${print(listOf(rest in schema ? below(rest) : UNKNOWN))}`]
  return [`[${[...items, ...more].join(', ')}]`]
}
