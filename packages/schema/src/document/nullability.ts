import { refOf } from './references.ts'
import { isSchemaObject } from '../guards.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from './location.ts'

/** Whether a schema allows `null`, forbids it, or has no keyword about it. */
type Nullability = 'yes' | 'no' | 'silent'

type ReadBelow = (...keys: readonly (string | number)[]) => Nullability

/**
 * Whether a schema names `null` as one of its values, itself or by reference, without coercion. Ignores keywords of
 * the application; a schema without a keyword about `null` returns false.
 */
export function allowsNull(location: SchemaLocation, scope: SchemaScope): boolean {
  return nullabilityOf(location, scope) === 'yes'
}

const FURTHER = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'] as const

/** Returns the result of {@link allowsNull} if the schema's own type and values decide it, otherwise undefined. */
export function allowsNullByItself(schema: unknown): boolean | undefined {
  if (!isSchemaObject(schema)) return false
  const verdict = ofValues(schema)
  return verdict === 'no' || FURTHER.every((keyword) => !(keyword in schema)) ? verdict === 'yes' : undefined
}

/** The check of schemas has already rejected reference cycles, so the recursion ends. */
function nullabilityOf(location: SchemaLocation, scope: SchemaScope): Nullability {
  const { schema } = location
  if (!isSchemaObject(schema)) return schema === true ? 'silent' : 'no'
  const below: ReadBelow = (...keys) => nullabilityOf(childLocation(location, keys), scope)
  return every([
    ofValues(schema),
    ofReference(location, scope),
    every(list(schema, 'allOf').map((index) => below('allOf', index))),
    'anyOf' in schema ? some(list(schema, 'anyOf').map((index) => below('anyOf', index))) : 'silent',
    'oneOf' in schema ? one(list(schema, 'oneOf').map((index) => below('oneOf', index))) : 'silent',
    'not' in schema && below('not') !== 'no' ? 'no' : 'silent',
    ofCondition(schema, below),
  ])
}

function every(verdicts: readonly Nullability[]): Nullability {
  if (verdicts.includes('no')) return 'no'
  return verdicts.includes('yes') ? 'yes' : 'silent'
}

function some(verdicts: readonly Nullability[]): Nullability {
  if (verdicts.includes('yes')) return 'yes'
  return verdicts.includes('silent') ? 'silent' : 'no'
}

function one(verdicts: readonly Nullability[]): Nullability {
  const passed = verdicts.filter((verdict) => verdict !== 'no')
  return passed.length === 1 ? some(passed) : 'no'
}

/** Reads `type`, `nullable`, `enum` and `const`. */
function ofValues(schema: Record<string, unknown>): Nullability {
  const { type, nullable, enum: values } = schema
  const verdict = (allowed: boolean): Nullability => (allowed ? 'yes' : 'no')
  return every([
    type === undefined ? 'silent' : verdict(nullable === true || [type].flat().includes('null')),
    Array.isArray(values) ? verdict(values.includes(null)) : 'silent',
    'const' in schema ? verdict(schema['const'] === null) : 'silent',
  ])
}

function ofReference(location: SchemaLocation, scope: SchemaScope): Nullability {
  const ref = refOf(location)
  if (ref === undefined) return 'silent'
  const target = scope.resolve(location, ref)
  return target === undefined ? 'no' : nullabilityOf(target, scope)
}

function ofCondition(schema: Record<string, unknown>, below: ReadBelow): Nullability {
  if (!('if' in schema)) return 'silent'
  const branch = below('if') === 'no' ? 'else' : 'then'
  return branch in schema ? below(branch) : 'silent'
}

function list(schema: Record<string, unknown>, keyword: string): number[] {
  const entries = schema[keyword]
  return Array.isArray(entries) ? [...entries.keys()] : []
}
