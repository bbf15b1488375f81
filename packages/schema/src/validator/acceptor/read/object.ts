import { childLocation, type SchemaLocation } from '../../../document/location.ts'
import { isSchemaObject } from '../../../guards.ts'
import type { PropertyNode, TestNode, UndeclaredNode, Use } from '../ir.ts'
import { acceptsAnything, hasAny } from '../../../document/survey.ts'
import { readRules, type ObjectRules } from './object-rules.ts'
import type { Reader } from './reader.ts'
import { patternOf } from './scalars.ts'
import { Unsupported } from './unsupported.ts'

type Schema = Record<string, unknown>

/** An object schema being read. */
interface ObjectContext {
  readonly reader: Reader
  readonly location: SchemaLocation
  readonly schema: Schema
  readonly rules: ObjectRules
  readonly patterns: readonly RegExp[]
  readonly use: Use
}

/** Keywords that apply to the whole object, after defaults and removals. */
const WHOLE_OBJECT = [
  'propertyNames',
  'dependencies',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
]

/** Reads the keywords about objects. */
export function readObject(reader: Reader, location: SchemaLocation, schema: Schema, outer: Use): TestNode[] {
  const rules = readRules(reader.policy, schema)
  const isCounted = hasAny(schema, ['minProperties', 'maxProperties'])
  const edits = rules.defaults.size > 0 || rules.others === 'remove'
  const seesAll = hasAny(schema, WHOLE_OBJECT) || (isCounted && edits)
  const use = seesAll && outer === 'edit' ? 'observe' : outer
  const patterns = rules.patterns.map(patternOf)
  const context: ObjectContext = { reader, location, schema, rules, patterns, use }
  const tests: TestNode[] = []
  if (use !== 'edit' && rules.defaults.size > 0)
    tests.push({ kind: 'given', names: [...rules.defaults.keys()] })
  readSize(schema, tests)
  readRequired(rules, use, tests)
  if (schema['propertyNames'] !== undefined) readNames(context, tests)
  const closed = countedUndeclared(context)
  if (closed === undefined) readOthers(context, tests)
  readDependencies(context, 'dependencies', tests)
  const properties = rules.properties.flatMap((name) => readProperty(context, name, closed !== undefined))
  if (properties.length > 0 || closed !== undefined)
    tests.push({ kind: 'properties', isOrdered: use === 'union', properties, closed })
  readPatterns(context, tests)
  readDependencies(context, 'dependentRequired', tests)
  readDependencies(context, 'dependentSchemas', tests)
  return tests
}

function readSize({ minProperties, maxProperties }: Schema, tests: TestNode[]): void {
  const minimum = typeof minProperties === 'number' ? minProperties : undefined
  const maximum = typeof maxProperties === 'number' ? maxProperties : undefined
  if (minimum !== undefined || maximum !== undefined) tests.push({ kind: 'size', minimum, maximum })
}

function readRequired({ properties, required, defaults }: ObjectRules, use: Use, tests: TestNode[]): void {
  const names = required.filter((name) => {
    if (defaults.has(name)) return false
    // `required` is checked where the property is read, except in a union, where the order matters.
    return use === 'union' || !properties.includes(name)
  })
  if (names.length === 0) return
  // Ajv misses an absent property whose name is the empty string.
  if (use === 'union' && names.includes('')) throw new Unsupported('required')
  tests.push({ kind: 'required', names })
}

function readNames({ reader, location, use }: ObjectContext, tests: TestNode[]): void {
  const names = childLocation(location, ['propertyNames'])
  if (acceptsAnything(names.schema)) return
  // For an object without keys Ajv skips later keywords, which changes the outcome of a union.
  if (!reader.policy.unions || use === 'union') throw new Unsupported('propertyNames')
  tests.push({ kind: 'names', node: reader.read(names, 'union') })
}

/** What becomes of undeclared properties, where counting the keys finds out whether there are any. */
function countedUndeclared({ reader, rules, patterns, use }: ObjectContext): UndeclaredNode | undefined {
  const { others, properties } = rules
  if (others !== 'remove' && others !== 'fail') return undefined
  // An inherited property would be counted, too.
  if (use === 'union' || patterns.length > 0 || properties.some((name) => name in Object.prototype))
    return undefined
  return { declared: properties, patterns, effect: effectOf(others, use, reader) }
}

function readOthers({ reader, location, rules, patterns, use }: ObjectContext, tests: TestNode[]): void {
  const { others, properties: declared } = rules
  if (others === 'ignore') return
  if (others === 'schema') {
    const node = reader.read(childLocation(location, ['additionalProperties']), use)
    tests.push({ kind: 'additional', declared, patterns, node })
  } else {
    tests.push({ kind: 'others', others: { declared, patterns, effect: effectOf(others, use, reader) } })
  }
}

function effectOf(others: 'remove' | 'fail', use: Use, { policy }: Reader): UndeclaredNode['effect'] {
  if (others === 'fail' || (use === 'union' && policy.removesByBranch)) return 'reject'
  return use === 'edit' ? 'remove' : 'defer'
}

/** Reads `dependencies`, or one of the two keywords that 2020-12 has instead. */
function readDependencies(
  { reader, location, schema, use }: ObjectContext,
  keyword: string,
  tests: TestNode[],
): void {
  const dependencies = schema[keyword]
  if (dependencies === undefined) return
  if (!isSchemaObject(dependencies)) throw new Unsupported(keyword)
  const entries = Object.entries(dependencies)
  if (entries.some(([name]) => name === '__proto__')) throw new Unsupported('__proto__')
  for (const [name, needed] of entries) {
    if (!Array.isArray(needed) || needed.length === 0) continue
    if (use === 'union' && needed.includes('')) throw new Unsupported(keyword)
    tests.push({ kind: 'needs', name, needed: needed.map(String) })
  }
  for (const [name, dependent] of entries) {
    if (Array.isArray(dependent) || acceptsAnything(dependent)) continue
    const node = reader.read(childLocation(location, [keyword, name]), use)
    tests.push({ kind: 'dependent', name, node })
  }
}

/** A property; nothing when it may be anything and need not be counted. */
function readProperty(
  { reader, location, rules, use }: ObjectContext,
  name: string,
  isCounted: boolean,
): PropertyNode[] {
  const child = childLocation(location, ['properties', name])
  const fallback = rules.defaults.get(name)
  const isRequired = rules.required.includes(name)
  if (fallback === undefined && !isRequired && !isCounted && acceptsAnything(child.schema)) return []
  return [{ name, node: reader.read(child, use), presence: presenceOf(fallback, isRequired, use), fallback }]
}

function presenceOf(fallback: unknown, isRequired: boolean, use: Use): PropertyNode['presence'] {
  if (fallback === undefined) return isRequired ? 'required' : 'optional'
  return use === 'edit' ? 'filled' : 'given'
}

function readPatterns({ reader, location, rules, patterns, use }: ObjectContext, tests: TestNode[]): void {
  rules.patterns.forEach((source, index) => {
    const child = childLocation(location, ['patternProperties', source])
    const pattern = patterns[index]
    if (pattern === undefined || acceptsAnything(child.schema)) return
    tests.push({ kind: 'pattern', pattern, node: reader.read(child, use) })
  })
}
