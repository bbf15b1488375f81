/** The object side of a conjunction. */
import { NOTHING } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import type { Conjunction, Member } from './conjunction.ts'
import { ANY } from '../nodes/any.ts'
import type { Node } from '../nodes/node.ts'
import { ObjectNode, type PatternNode, type PropertyNode } from '../nodes/object.ts'
import {
  declaredProperties,
  declaredTypes,
  defaultText,
  hasKeyword,
  locationsOfProperty,
  propertiesOf,
  requiredNames,
} from './keywords.ts'
import type { Parser } from './parse.ts'
import { openMembers, patternsOf, placesBeside, type PatternPlaces } from './other-names.ts'

/** Reads `properties`, `required`, `patternProperties` and `additionalProperties`. */
export function parseObject(reader: Parser, conjunction: Conjunction): ObjectNode {
  const required = requiredNames(conjunction)
  const declared = declaredProperties(conjunction)
  const families = patternsOf(conjunction)
  const patterns = parsePatterns(reader, conjunction, families)
  const additional = parseAdditional(reader, conjunction)
  const beside = (name: string): SchemaLocation[] => placesBeside(name, conjunction, families)
  const properties = parseProperties(reader, declared, required, beside)
  const undeclared = [...required].filter((name) => !declared.has(name))
  const isPatterned = (name: string): boolean => patterns.some(({ pattern }) => pattern.test(name))
  const writes = reader.isStrict && additional === undefined && !isClosed(conjunction)
  // The schema promises to clients that these properties are there. Fastify 4.x leaves them out.
  const promised = writes ? undeclared.filter((name) => !isPatterned(name)) : []
  return new ObjectNode({
    strict: reader.isStrict,
    properties: [...promised.map(anything), ...properties],
    requiredOnly: undeclared.filter((name) => !promised.includes(name)),
    patterns,
    additional,
    isAdditionalUnevaluated:
      hasKeyword(conjunction, 'unevaluatedProperties') && !hasKeyword(conjunction, 'additionalProperties'),
  })
}

const anything = (name: string): PropertyNode => ({
  name,
  node: ANY,
  isRequired: true,
  defaultText: undefined,
})

/** Whether a member forbids all properties that are not declared. */
function isClosed({ members }: Conjunction): boolean {
  return members.some(
    ({ schema }) => schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false,
  )
}

/** Required properties first. */
function parseProperties(
  reader: Parser,
  declared: ReadonlyMap<string, readonly Member[]>,
  required: ReadonlySet<string>,
  beside: (name: string) => readonly SchemaLocation[],
): PropertyNode[] {
  const properties: PropertyNode[] = []
  const optional: PropertyNode[] = []
  for (const [name, members] of declared) {
    const property = parseProperty(reader, name, members, required.has(name), beside)
    if (property !== undefined) (property.isRequired ? properties : optional).push(property)
  }
  return properties.length === 0 ? optional : properties.concat(optional)
}

/** A property whose schema is `false` is left out; when it is also required, every value is an error. */
function parseProperty(
  reader: Parser,
  name: string,
  members: readonly Member[],
  isRequired: boolean,
  beside: (name: string) => readonly SchemaLocation[],
): PropertyNode | undefined {
  const only = members.length === 1 ? members[0] : undefined
  const scalar = only && reader.readScalar(propertiesOf(only)[name])
  if (scalar !== undefined) return { name, node: scalar, isRequired, defaultText: undefined }
  const locations = allowing(reader, locationsOfProperty(name, members), beside(name))
  const shared = reader.readShared(locations)
  if (shared !== undefined) return { name, node: shared, isRequired, defaultText: undefined }
  const conjunction = reader.flattener.flatten(locations)
  if (conjunction.isImpossible && !isRequired) return undefined
  const node = reader.readConjunction(conjunction)
  return { name, node, isRequired, defaultText: defaultText(conjunction) }
}

function parsePatterns(
  reader: Parser,
  conjunction: Conjunction,
  families: readonly PatternPlaces[],
): readonly PatternNode[] {
  if (families.length === 0) return NOTHING
  const others = openMembers(conjunction)
  return families.map(({ pattern, locations }): PatternNode => {
    const patterned = reader.flattener.flatten(allowing(reader, locations, others))
    return { pattern, node: patterned.isImpossible ? undefined : reader.readConjunction(patterned) }
  })
}

/** Adds further schemas of a value, unless no value has the types of all of them: the first ones write it then. */
function allowing(
  reader: Parser,
  first: readonly SchemaLocation[],
  others: readonly SchemaLocation[],
): readonly SchemaLocation[] {
  if (others.length === 0) return first
  const all = [...first, ...others]
  const together = reader.flattener.flatten(all)
  return together.isImpossible || declaredTypes(together)?.length === 0 ? first : all
}

/**
 * A member with `false` closes the object; a strict object without declarations is open. Since all that describes the
 * value has been flattened, what no member declares is unevaluated as well.
 */
function parseAdditional(reader: Parser, conjunction: Conjunction): Node | undefined {
  const keyword = hasKeyword(conjunction, 'additionalProperties')
    ? 'additionalProperties'
    : 'unevaluatedProperties'
  const schemas: SchemaLocation[] = []
  for (const { schema, location } of conjunction.members) {
    const additional = schema[keyword]
    if (additional === false) return undefined
    if (additional !== undefined) schemas.push(childLocation(location, [keyword]))
  }
  if (schemas.length > 0) {
    const additional = reader.flattener.flatten(schemas)
    return additional.isImpossible ? undefined : reader.readConjunction(additional)
  }
  const declares = hasKeyword(conjunction, 'properties') || hasKeyword(conjunction, 'patternProperties')
  return reader.isStrict && !declares ? ANY : undefined
}
