import { code } from '../codegen/code.ts'
import {
  asksExact,
  typesOf,
  withSafeIntegers,
  type ExactIntegers,
  type TestedType,
} from '../document/json-types.ts'
import { isSchemaObject, NOTHING } from '../guards.ts'
import { KindGroup, KINDS, type Group, type Kind } from '../walk/group.ts'
import { ANY, CALL, leafOf as readLeaf, type Leaf } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { assertion, type Keyword, type Part } from '../walk/part.ts'
import { Plan } from '../walk/plan.ts'
import { onlyReference } from './reference.ts'
import { BROUGHT, KEYWORDS, type Chosen } from './table.ts'
import { finitePartOf, TypesPart } from '../walk/type.ts'

/** The schema `false`. */
const NEVER: Keyword = assertion({
  name: 'false schema',
  read: () => null,
  test: () => false,
  params: () => ({}),
  message: () => 'boolean schema is false',
  code: () => code`false`,
})

/** Reads a schema. */
export function readPlan(node: SchemaNode): Plan {
  const { location, context } = node
  const { json } = context
  const schema = json?.describing(location) ?? node.schema
  const chosen = chosenIn(schema)
  const general =
    location.schema === false ? partsOf([NEVER], 1, node) : partsOf(KEYWORDS.any, chosen.any, node)
  // For a serializer `nullable` is no type: null is valid with any types.
  const named = typesOf(json === undefined ? schema : { type: schema['type'] })
  const types = asksExact(schema, context.settings.exactIntegers) ? withSafeIntegers(named) : named
  const isInPlace = general.some(({ below }) => below !== undefined)
  const type = types.length === 0 ? undefined : new TypesPart(node, types, isInPlace)
  const finite = type && finitePartOf(type)
  // If the type is that of a group and nothing is coerced, the group checks the type.
  const isTypeLate = type !== undefined && !type.isCoercing && isChosen(type.only, chosen)
  const groups = groupsOf(node, chosen, isTypeLate ? type : undefined)
  return new Plan(node, {
    type,
    isTypeLate,
    general: finite === undefined ? general : [...general, finite],
    groups,
    isReference: json === undefined && onlyReference(location) !== undefined,
    seen: json?.seenBy(schema, isInPlace, node.schema['nullable'] === true),
  })
}

/** Reads the keywords of a schema. */
function chosenIn(schema: Readonly<Record<string, unknown>>): Readonly<Chosen> {
  const chosen: Chosen = { any: 0, number: 0, string: 0, array: 0, object: 0 }
  for (const name of Object.keys(schema)) {
    const brought = BROUGHT.get(name)
    if (brought === undefined || schema[name] === undefined) continue
    chosen.any = chosen.any | brought.any
    chosen.number = chosen.number | brought.number
    chosen.string = chosen.string | brought.string
    chosen.array = chosen.array | brought.array
    chosen.object = chosen.object | brought.object
  }
  return chosen
}

function isChosen(type: TestedType | undefined, chosen: Readonly<Chosen>): boolean {
  return (
    (type === 'number' || type === 'string' || type === 'array' || type === 'object') && chosen[type] !== 0
  )
}

/**
 * The keywords about single kinds of values.
 * @param late - the types, where a group is to report values of another kind
 */
function groupsOf(node: SchemaNode, chosen: Readonly<Chosen>, late: TypesPart | undefined): readonly Group[] {
  const groups: Group[] = []
  const add = <Data>(kind: Kind<Data>, keywords: readonly Keyword<Data>[]): void => {
    const parts = chosen[kind.group] === 0 ? NOTHING : partsOf(keywords, chosen[kind.group], node)
    const type = late?.only === kind.group ? late : undefined
    if (parts.length === 0 && type === undefined) return
    groups.push(new KindGroup(kind, parts, type, node.context.settings.finiteNumbers))
  }
  add(KINDS.number, KEYWORDS.number)
  add(KINDS.string, KEYWORDS.string)
  add(KINDS.array, KEYWORDS.array)
  add(KINDS.object, KEYWORDS.object)
  return exact(groups)
}

function partsOf<Data>(
  keywords: readonly Keyword<Data>[],
  chosen: number,
  node: SchemaNode,
): readonly Part<Data>[] {
  const parts: Part<Data>[] = []
  for (let left = chosen; left !== 0; left &= left - 1) {
    const part = keywords[31 - Math.clz32(left & -left)]?.read(node)
    if (isList(part)) parts.push(...part)
    else if (part !== undefined) parts.push(part)
  }
  return exact(parts)
}

/** Copies a list to one without spare capacity. */
function exact<Item>(list: Item[]): readonly Item[] {
  return list.length === 0 ? NOTHING : list.slice()
}

/** Returns how the values of a schema are tested without a call. */
export function leafOf(schema: unknown, exactIntegers: ExactIntegers = false): Leaf {
  if (schema === true) return ANY
  return isSchemaObject(schema) ? readLeaf(schema, BROUGHT, exactIntegers) : CALL
}

function isList<Entry>(value: Entry | readonly Entry[] | undefined): value is readonly Entry[] {
  return Array.isArray(value)
}
