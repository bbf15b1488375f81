import { refOf } from './references.ts'
import { isSchemaObject } from '../guards.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from './location.ts'

/** What a schema says of `null`: that it is admitted, that it is not, or nothing. */
type Verdict = 'yes' | 'no' | 'silent'

/** How the schemas below a place judge. */
type Judge = (...keys: readonly (string | number)[]) => Verdict

/**
 * Whether a schema names `null` as one of its values, itself or by what it refers to, without coercion. Keywords of
 * the application are not asked: a schema that says nothing about `null` does not count as admitting it.
 */
export function admitsNull(place: SchemaLocation, scope: SchemaScope): boolean {
  return judge(place, scope) === 'yes'
}

const FURTHER = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'] as const

/** What {@link admitsNull} says, where the schema's own type and values decide it; undefined when they do not. */
export function admitsNullAlone(schema: unknown): boolean | undefined {
  if (!isSchemaObject(schema)) return false
  const verdict = ofValues(schema)
  return verdict === 'no' || FURTHER.every((keyword) => !(keyword in schema)) ? verdict === 'yes' : undefined
}

/** References that come back to themselves for one value have been refused before. */
function judge(place: SchemaLocation, scope: SchemaScope): Verdict {
  const { schema } = place
  if (!isSchemaObject(schema)) return schema === true ? 'silent' : 'no'
  const below: Judge = (...keys) => judge(childLocation(place, keys), scope)
  return every([
    ofValues(schema),
    ofReference(place, scope),
    every(list(schema, 'allOf').map((index) => below('allOf', index))),
    'anyOf' in schema ? some(list(schema, 'anyOf').map((index) => below('anyOf', index))) : 'silent',
    'oneOf' in schema ? one(list(schema, 'oneOf').map((index) => below('oneOf', index))) : 'silent',
    'not' in schema && below('not') !== 'no' ? 'no' : 'silent',
    ofCondition(schema, below),
  ])
}

function every(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('no')) return 'no'
  return verdicts.includes('yes') ? 'yes' : 'silent'
}

function some(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('yes')) return 'yes'
  return verdicts.includes('silent') ? 'silent' : 'no'
}

function one(verdicts: readonly Verdict[]): Verdict {
  const passed = verdicts.filter((verdict) => verdict !== 'no')
  return passed.length === 1 ? some(passed) : 'no'
}

/** `type`, `nullable`, `enum` and `const`. */
function ofValues(schema: Record<string, unknown>): Verdict {
  const { type, nullable, enum: values } = schema
  const verdict = (admitted: boolean): Verdict => (admitted ? 'yes' : 'no')
  return every([
    type === undefined ? 'silent' : verdict(nullable === true || [type].flat().includes('null')),
    Array.isArray(values) ? verdict(values.includes(null)) : 'silent',
    'const' in schema ? verdict(schema['const'] === null) : 'silent',
  ])
}

function ofReference(place: SchemaLocation, scope: SchemaScope): Verdict {
  const ref = refOf(place)
  if (ref === undefined) return 'silent'
  const target = scope.resolve(place, ref)
  return target === undefined ? 'no' : judge(target, scope)
}

function ofCondition(schema: Record<string, unknown>, below: Judge): Verdict {
  if (!('if' in schema)) return 'silent'
  const branch = below('if') === 'no' ? 'else' : 'then'
  return branch in schema ? below(branch) : 'silent'
}

function list(schema: Record<string, unknown>, keyword: string): number[] {
  const entries = schema[keyword]
  return Array.isArray(entries) ? [...entries.keys()] : []
}
