/** What the keywords of a conjunction say together. */
import { isSchemaObject } from '../../guards.ts'
import { childPlace, type SchemaPlace } from '../../resolve-ref.ts'
import type { Conjunction, Member } from './conjunction.ts'
import { SerializerBuildError } from '../errors.ts'
import type { ValueKind } from '../ir.ts'
import { listOf, namesOf } from './source.ts'

/** The types of JSON Schema. */
export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

const TYPE_NAMES: readonly TypeName[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/** Keywords from which the 4.x line infers a type, first match wins. */
const INFERENCE: readonly (readonly [TypeName, readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'maxProperties',
      'minProperties',
      'dependencies',
    ],
  ],
  ['array', ['items', 'prefixItems', 'additionalItems', 'maxItems', 'minItems', 'uniqueItems', 'contains']],
  ['string', ['maxLength', 'minLength', 'pattern']],
  ['number', ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum']],
]

/** Whether a member of the conjunction has the keyword. */
export function hasKeyword(conjunction: Conjunction, keyword: string): boolean {
  return conjunction.members.some(({ schema }) => schema[keyword] !== undefined)
}

/** The first value that a member gives to the keyword. */
export function firstOf(conjunction: Conjunction, keyword: string): unknown {
  return conjunction.members.find(({ schema }) => schema[keyword] !== undefined)?.schema[keyword]
}

/** Whether `null` is written as `null` whatever the type says. */
export function isNullable(conjunction: Conjunction): boolean {
  return conjunction.members.some(({ schema }) => schema['nullable'] === true)
}

/** The types that all members allow, in the order of the first; nothing when no member names a type. */
export function declaredTypes(conjunction: Conjunction): readonly TypeName[] | undefined {
  let types: readonly TypeName[] | undefined
  for (const { schema } of conjunction.members) {
    const named = schema['type']
    if (named === undefined) continue
    const own = namesOf(Array.isArray(named) ? named : [named]).filter(isTypeName)
    types = types === undefined ? own : intersectTypes(types, own)
  }
  return types
}

/** The type that the 4.x line reads out of the other keywords. */
export function inferredType(conjunction: Conjunction): TypeName | undefined {
  return INFERENCE.find(([, keywords]) => keywords.some((keyword) => hasKeyword(conjunction, keyword)))?.[0]
}

/** The names that some member requires. */
export function requiredNames(conjunction: Conjunction): ReadonlySet<string> {
  return new Set(conjunction.members.flatMap(({ schema }) => namesOf(schema['required'])))
}

/** Declared properties in order of appearance, each with every schema that describes it. */
export function declaredProperties(conjunction: Conjunction): ReadonlyMap<string, readonly SchemaPlace[]> {
  const properties = new Map<string, SchemaPlace[]>()
  for (const member of conjunction.members) {
    for (const [name, place] of entriesOf(member, 'properties')) {
      const known = properties.get(name)
      if (known === undefined) properties.set(name, [place])
      else known.push(place)
    }
  }
  return properties
}

/** The entries of a keyword that maps names to schemas. */
export function entriesOf(member: Member, keyword: string): [string, SchemaPlace][] {
  const map = member.schema[keyword]
  if (!isSchemaObject(map)) return []
  return Object.keys(map).map((name) => [name, childPlace(member.place, [keyword, name])])
}

/** The values that `const` and `enum` leave, or nothing when there are no such keywords. */
export function literalValues(conjunction: Conjunction): readonly unknown[] | undefined {
  for (const { schema } of conjunction.members) {
    if (schema['const'] !== undefined) return [schema['const']]
  }
  const list = firstOf(conjunction, 'enum')
  return Array.isArray(list) ? listOf(list) : undefined
}

/** The kinds of values of a type. */
export function kindsOfType(type: TypeName): readonly ValueKind[] {
  return type === 'number' ? ['integer', 'fraction'] : [type]
}

/** The kind of a value that stands in a schema. */
export function kindOfLiteral(value: unknown): ValueKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}

function isTypeName(name: string): name is TypeName {
  return TYPE_NAMES.some((type) => type === name)
}

function intersectTypes(left: readonly TypeName[], right: readonly TypeName[]): TypeName[] {
  const both: TypeName[] = []
  for (const type of left) {
    if (right.includes(type) || (type === 'integer' && right.includes('number'))) both.push(type)
    else if (type === 'number' && right.includes('integer')) both.push('integer')
  }
  return both
}

/** JSON text of the default, if there is one; a value without JSON text is a mistake in the schema. */
export function defaultText(conjunction: Conjunction): string | undefined {
  const member = conjunction.members.find(({ schema }) => schema['default'] !== undefined)
  if (member === undefined) return undefined
  const value = member.schema['default']
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) {
    throw new SerializerBuildError(`a default must be JSON, not a ${typeof value}`, member.place.pointer)
  }
  return text
}
