/** The array side of a conjunction. */
import { listOf } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import type { Conjunction, Member } from './conjunction.ts'
import { ANY } from '../nodes/any.ts'
import { ArrayNode } from '../nodes/array.ts'
import { ChooseNode, type ValueKind } from '../nodes/choose.ts'
import type { Node } from '../nodes/node.ts'
import { declaredTypes, hasKeyword, isNullable, kindsOfType } from './keywords.ts'
import type { Parser } from './parse.ts'

/** Reads `items`, `prefixItems` and `additionalItems`. */
export function parseArray(reader: Parser, conjunction: Conjunction): ArrayNode {
  const prefixLength = Math.max(0, ...conjunction.members.map((member) => tupleOf(member).length))
  const prefix = Array.from({ length: prefixLength }, (_, index) => parsePosition(reader, conjunction, index))
  const rest = parseRest(reader, conjunction, prefixLength)
  const nativeFrom = reader.options.nativeArrayFrom
  return new ArrayNode({ strict: reader.isStrict, prefix, rest, nativeFrom })
}

function tupleOf({ schema }: Member): readonly unknown[] {
  return Array.isArray(schema['items']) ? schema['items'] : listOf(schema['prefixItems'])
}

/** The schema that one member has for a position; undefined when it has none. */
function schemaAt(member: Member, index: number): SchemaLocation | undefined {
  const tuple = tupleOf(member)
  const { schema, location } = member
  const isTuple = Array.isArray(schema['items'])
  if (index < tuple.length) return childLocation(location, [isTuple ? 'items' : 'prefixItems', index])
  const following = isTuple ? 'additionalItems' : 'items'
  return schema[following] === undefined ? undefined : childLocation(location, [following])
}

/** In compat mode an item of a tuple must have the type of its schema, as in Fastify 4.x. */
function parsePosition(reader: Parser, conjunction: Conjunction, index: number): Node {
  const schemas = conjunction.members.flatMap((member) => schemaAt(member, index) ?? [])
  const item = reader.flattener.flatten(schemas)
  const node = reader.readConjunction(item)
  const types = reader.isStrict ? undefined : declaredTypes(item)
  if (types === undefined || types.length === 0) return node
  const kinds = types.flatMap((type): readonly ValueKind[] =>
    type === 'string' ? ['string', 'null', 'text-object'] : kindsOfType(type),
  )
  return new ChooseNode([{ kinds: isNullable(item) ? [...kinds, 'null'] : kinds, node }], types.join(' or '))
}

/** Reads the items after a tuple: by their schema, else any (strict) or none (compat). */
function parseRest(reader: Parser, conjunction: Conjunction, prefixLength: number): Node | undefined {
  const declared = conjunction.members.flatMap((member) => schemaAt(member, prefixLength) ?? [])
  const schemas = declared.length > 0 ? declared : unevaluatedItems(conjunction)
  if (schemas.length === 0) return prefixLength > 0 && !reader.isStrict ? undefined : ANY
  const shared = reader.readShared(schemas)
  if (shared !== undefined) return shared
  const rest = reader.flattener.flatten(schemas)
  return rest.isImpossible ? undefined : reader.readConjunction(rest)
}

/** The schemas of items that no other keyword is about. What `contains` matches is not among them. */
function unevaluatedItems(conjunction: Conjunction): SchemaLocation[] {
  if (hasKeyword(conjunction, 'contains')) return []
  return conjunction.members.flatMap(({ schema, location }) =>
    schema['unevaluatedItems'] === undefined ? [] : childLocation(location, ['unevaluatedItems']),
  )
}
