/** The combined meaning of the keywords of a conjunction. */
import { isJsonType, type JsonType } from '../../document/json-types.ts'
import { namesOf } from '../../document/vocabulary.ts'
import { isSchemaObject, listOf } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import type { Conjunction, Member } from './conjunction.ts'
import { SerializerBuildError, stringsOf, type SchemaObject } from './source.ts'
import type { ValueKind } from '../nodes/choose.ts'

/** Keywords from which Fastify 4.x infers a type; the first match wins. */
const INFERENCE = (['object', 'array', 'string', 'number'] as const).map((type) => ({
  type,
  keywords: namesOf(({ infersType, groups }) => infersType === true && groups?.includes(type) === true),
}))

/** Whether a member of the conjunction has the keyword. */
export function hasKeyword(conjunction: Conjunction, keyword: string): boolean {
  return firstOf(conjunction, keyword) !== undefined
}

/** Returns the first value of the keyword among the members. */
export function firstOf(conjunction: Conjunction, keyword: string): unknown {
  for (const { schema } of conjunction.members) if (schema[keyword] !== undefined) return schema[keyword]
  return undefined
}

/** Whether `null` is written as `null`, whatever the type is. */
export function isNullable(conjunction: Conjunction): boolean {
  return conjunction.members.some(({ schema }) => schema['nullable'] === true)
}

/**
 * Returns the types that all members allow, in the order of the first; undefined when no member names a type.
 */
export function declaredTypes(conjunction: Conjunction): readonly JsonType[] | undefined {
  let types: readonly JsonType[] | undefined
  for (const { schema } of conjunction.members) {
    const named = schema['type']
    if (named === undefined) continue
    const own = (Array.isArray(named) ? named : [named]).filter(isJsonType)
    types = types === undefined ? own : intersectTypes(types, own)
  }
  return types
}

/** Returns the type that Fastify 4.x infers from the other keywords. */
export function inferredType(conjunction: Conjunction): JsonType | undefined {
  return INFERENCE.find(({ keywords }) => keywords.some((keyword) => hasKeyword(conjunction, keyword)))?.type
}

/** Returns the names that a member requires. */
export function requiredNames(conjunction: Conjunction): ReadonlySet<string> {
  return new Set(conjunction.members.flatMap(({ schema }) => stringsOf(schema['required'])))
}

/** Declared properties in order of appearance, each with every member that describes it. */
export function declaredProperties(conjunction: Conjunction): ReadonlyMap<string, readonly Member[]> {
  const properties = new Map<string, readonly Member[]>()
  for (const member of conjunction.members) {
    const alone = [member]
    for (const name of Object.keys(propertiesOf(member))) {
      const known = properties.get(name)
      properties.set(name, known === undefined ? alone : [...known, member])
    }
  }
  return properties
}

const NO_PROPERTIES: SchemaObject = Object.freeze({})

/** The schemas of the properties that a member declares. */
export function propertiesOf({ schema }: Member): SchemaObject {
  const { properties } = schema
  return isSchemaObject(properties) ? properties : NO_PROPERTIES
}

/** Returns the locations of the schemas of a property. */
export function locationsOfProperty(name: string, members: readonly Member[]): SchemaLocation[] {
  return members.map(({ location }) => childLocation(location, ['properties', name]))
}

/** The entries of a keyword that maps names to schemas. */
export function entriesOf(member: Member, keyword: string): [string, SchemaLocation][] {
  const map = member.schema[keyword]
  if (!isSchemaObject(map)) return []
  return Object.keys(map).map((name) => [name, childLocation(member.location, [keyword, name])])
}

/** Returns the values that `const` and `enum` allow; undefined when there are no such keywords. */
export function literalValues(conjunction: Conjunction): readonly unknown[] | undefined {
  for (const { schema } of conjunction.members) {
    if (schema['const'] !== undefined) return [schema['const']]
  }
  const list = firstOf(conjunction, 'enum')
  return Array.isArray(list) ? listOf(list) : undefined
}

/** The kinds of values of a type. */
export function kindsOfType(type: JsonType): readonly ValueKind[] {
  return type === 'number' ? ['integer', 'fraction'] : [type]
}

/** Returns the kind of a value in a schema. */
export function kindOfLiteral(value: unknown): ValueKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}

function intersectTypes(left: readonly JsonType[], right: readonly JsonType[]): JsonType[] {
  const both: JsonType[] = []
  for (const type of left) {
    if (right.includes(type) || (type === 'integer' && right.includes('number'))) both.push(type)
    else if (type === 'number' && right.includes('integer')) both.push('integer')
  }
  return both
}

/**
 * Returns the JSON text of the default, if there is one.
 * @throws SerializerBuildError when the default has no JSON text
 */
export function defaultText(conjunction: Conjunction): string | undefined {
  const member = conjunction.members.find(({ schema }) => schema['default'] !== undefined)
  if (member === undefined) return undefined
  const value = member.schema['default']
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) {
    throw new SerializerBuildError(`a default must be JSON, not a ${typeof value}`, member.location.pointer)
  }
  return text
}
