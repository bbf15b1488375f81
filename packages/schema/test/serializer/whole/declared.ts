/**
 * Whether a schema declares all of a value, by Ajv: every schema of a value in the value gets `unevaluatedProperties:
 * false`, and of each `anyOf` one branch is selected, because one is written.
 */
import { namesOf } from '../../../src/document/vocabulary.ts'
import type { SerializationMode } from '../../../src/options.ts'
import type { Random } from '../../validator/random.ts'
import { isTree, listOf, mapSchemas, treeOf, type Tree } from './map-schemas.ts'

/** Selects a branch of each `anyOf`. What the branches of `oneOf` and conditions decide is left as it is. */
export function selected(random: Random, schema: Tree): Tree {
  return treeOf(
    mapSchemas(schema, (changed, _isValue, original) => {
      const one: Record<string, unknown> = { ...changed }
      for (const keyword of ['if', 'not', 'contains', 'propertyNames'])
        if (one[keyword] !== undefined) one[keyword] = original[keyword]
      const parts = [...listOf(one['allOf'])]
      if (Array.isArray(one['oneOf'])) parts.push(passes({ oneOf: original['oneOf'] }))
      if (Array.isArray(one['anyOf']) && one['anyOf'].length > 0) {
        parts.push(random.pick(one['anyOf']))
        delete one['anyOf']
      }
      return parts.length === 0 ? one : { ...one, allOf: parts }
    }),
  )
}

/** The schema as a test alone: it declares nothing. */
function passes(schema: unknown): Tree {
  return { not: { not: schema } }
}

/** Keywords by which an object is written. */
const DECLARING = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependencies',
  'dependentSchemas',
]
/** In compat mode, an object that declares nothing is written as `{}`. */
const OBJECT_IN_COMPAT = [
  'type',
  'required',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
]
const CORE = ['$schema', '$id', '$dynamicAnchor', 'definitions']

/** The schema, which accepts a value only if it declares all of it. */
export function closed(schema: Tree, mode: SerializationMode): Tree {
  const writing = mode === 'compat' ? [...DECLARING, ...OBJECT_IN_COMPAT] : DECLARING
  return treeOf(
    mapSchemas(schema, (changed, isValue) => {
      const one = changed['if'] === undefined ? changed : { ...changed, if: passes(changed['if']) }
      if (!isValue || !writing.some((keyword) => one[keyword] !== undefined)) return one
      const core = Object.entries(one).filter(([keyword]) => CORE.includes(keyword))
      const rest = Object.entries(one).filter(([keyword]) => !CORE.includes(keyword))
      return { ...Object.fromEntries(core), allOf: [Object.fromEntries(rest)], unevaluatedProperties: false }
    }),
  )
}

const GROUPS = ['object', 'array', 'string', 'number'] as const
const INFERRED = GROUPS.map(
  (group) =>
    [
      group,
      namesOf(({ infersType, groups }) => infersType === true && groups?.includes(group) === true),
    ] as const,
)

/** The schema with the types that compat mode infers, which converts other values. */
export function withTypes(schema: Tree): Tree {
  return treeOf(
    mapSchemas(schema, (one) => {
      if (one['type'] !== undefined) return one
      const type = INFERRED.find(([, keywords]) => keywords.some((keyword) => one[keyword] !== undefined))
      return type === undefined ? one : { ...one, type: type[0] }
    }),
  )
}

/** Whether all of a value is in what was written. */
export function isWithin(value: unknown, written: unknown): boolean {
  if (Array.isArray(value)) {
    return (
      Array.isArray(written) &&
      value.length === written.length &&
      value.every((item, index) => isWithin(item, written[index]))
    )
  }
  if (!isTree(value)) return value === written
  return (
    isTree(written) &&
    Object.keys(value).every((name) => Object.hasOwn(written, name) && isWithin(value[name], written[name]))
  )
}

/** Whether a value has a property with the name of one that all objects inherit, which Ajv takes for evaluated. */
export function hasInheritedNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasInheritedNames)
  return (
    isTree(value) &&
    Object.entries(value).some(([name, inner]) => name in Object.prototype || hasInheritedNames(inner))
  )
}
