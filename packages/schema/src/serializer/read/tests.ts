/** The tests of a schema's keywords, by the kind of value. */
import { containsLimits } from '../../document/contains.ts'
import { isJsonType } from '../../document/json-types.ts'
import { isSchemaObject } from '../../guards.ts'
import { formatTest } from '../../runtime/formats.ts'
import type { Comparison, DependencyTest, TestNode } from '../predicate-node.ts'
import { compilePattern } from './pattern.ts'
import type { TestedSchema } from './predicate.ts'
import { listOf, namesOf, type SchemaObject } from './source.ts'

/** `type`. */
export function typeTests({ schema }: TestedSchema): TestNode[] {
  const { type } = schema
  const named = namesOf(Array.isArray(type) ? type : [type])
  return named.length === 0 ? [] : [{ kind: 'type', types: named.filter(isJsonType) }]
}

/** `const` and `enum`. */
export function literalTests({ schema }: TestedSchema): TestNode[] {
  const tests: TestNode[] = []
  if (schema['const'] !== undefined) tests.push({ kind: 'literals', values: [schema['const']] })
  if (Array.isArray(schema['enum'])) tests.push({ kind: 'literals', values: listOf(schema['enum']) })
  return tests
}

const COMPARISONS: readonly Comparison[] = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/** Keywords of numbers. */
export function numberTests({ schema }: TestedSchema): TestNode[] {
  const limits = COMPARISONS.flatMap((comparison): [Comparison, number][] => {
    const limit = numberOf(schema, comparison)
    return limit === undefined ? [] : [[comparison, limit]]
  })
  const multipleOf = numberOf(schema, 'multipleOf')
  return limits.length === 0 && multipleOf === undefined ? [] : [{ kind: 'number', limits, multipleOf }]
}

/** Keywords of strings. */
export function stringTests({ schema, location }: TestedSchema): TestNode[] {
  const { pattern, format } = schema
  const minLength = numberOf(schema, 'minLength')
  const maxLength = numberOf(schema, 'maxLength')
  const compiled = typeof pattern === 'string' ? compilePattern(pattern, location.pointer) : undefined
  const isKnown = typeof format === 'string' && formatTest(format)?.kind === 'string'
  if (minLength === undefined && maxLength === undefined && compiled === undefined && !isKnown) return []
  return [{ kind: 'string', minLength, maxLength, pattern: compiled, format: isKnown ? format : undefined }]
}

/** Keywords of arrays. */
export function arrayTests({ schema, location, read }: TestedSchema): TestNode[] {
  const isTuple = Array.isArray(schema['items'])
  const [first, following] = isTuple ? ['items', 'additionalItems'] : ['prefixItems', 'items']
  const { minimum, maximum } = containsLimits(schema, location.document.dialect)
  const isTested = [first, following, 'minItems', 'maxItems', 'contains', 'uniqueItems'].some(
    (keyword) => schema[keyword] !== undefined,
  )
  if (!isTested) return []
  return [
    {
      kind: 'array',
      minItems: numberOf(schema, 'minItems'),
      maxItems: numberOf(schema, 'maxItems'),
      prefix: listOf(schema[first]).map((_, index) => read(first, index)),
      rest: schema[following] === undefined ? undefined : read(following),
      contains: schema['contains'] === undefined ? undefined : read('contains'),
      minContains: minimum,
      maxContains: maximum,
      isUnique: schema['uniqueItems'] === true,
    },
  ]
}

const OBJECT_KEYWORDS: readonly string[] = [
  'required',
  'minProperties',
  'maxProperties',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
]

/** Keywords of objects. */
export function objectTests(tested: TestedSchema): TestNode[] {
  const { schema, location, read } = tested
  if (!OBJECT_KEYWORDS.some((keyword) => schema[keyword] !== undefined)) return []
  return [
    {
      kind: 'object',
      required: namesOf(schema['required']),
      minProperties: numberOf(schema, 'minProperties'),
      maxProperties: numberOf(schema, 'maxProperties'),
      properties: keysOf(schema, 'properties').map((name) => ({ name, value: read('properties', name) })),
      patterns: keysOf(schema, 'patternProperties').map((source) => ({
        pattern: compilePattern(source, location.pointer),
        value: read('patternProperties', source),
      })),
      additional: schema['additionalProperties'] === undefined ? undefined : read('additionalProperties'),
      names: schema['propertyNames'] === undefined ? undefined : read('propertyNames'),
      dependencies: dependenciesOf(tested),
    },
  ]
}

/** `dependencies`, and the two keywords that replace it in later drafts. */
function dependenciesOf({ schema, read }: TestedSchema): DependencyTest[] {
  return ['dependencies', 'dependentRequired', 'dependentSchemas'].flatMap((keyword) => {
    const map = schema[keyword]
    if (!isSchemaObject(map)) return []
    return Object.entries(map).map(([name, dependency]) => ({
      name,
      needs: Array.isArray(dependency) ? namesOf(dependency) : read(keyword, name),
    }))
  })
}

function numberOf(schema: SchemaObject, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

function keysOf(schema: SchemaObject, keyword: string): string[] {
  const map = schema[keyword]
  return isSchemaObject(map) ? Object.keys(map) : []
}
