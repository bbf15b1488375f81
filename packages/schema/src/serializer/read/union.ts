/**
 * Unions without a validator. The branches are sorted by the kinds of values they take; a kind with one
 * branch needs a type test only, objects with a discriminating property a switch, and what is left
 * is matched by predicate.
 */
import { namesOf } from '../../document/vocabulary.ts'
import { isScalar, isSchemaObject, type Scalar } from '../../guards.ts'
import type { SchemaLocation } from '../../document/location.ts'
import type { Conjunction } from './conjunction.ts'
import { NeverNode } from '../nodes/any.ts'
import { ChooseNode, VALUE_KINDS, type ChooseCase, type ValueKind } from '../nodes/choose.ts'
import { MatchNode } from '../nodes/match.ts'
import type { Node } from '../nodes/node.ts'
import { SwitchNode } from '../nodes/switch.ts'
import {
  declaredProperties,
  declaredTypes,
  hasKeyword,
  inferredType,
  isNullable,
  kindOfLiteral,
  kindsOfType,
  literalValues,
  locationsOfProperty,
  requiredNames,
} from './keywords.ts'
import type { Parser } from './parse.ts'

const ALL_KINDS = VALUE_KINDS.filter((kind) => kind !== 'text-object')
/** Keywords that a branch may have beside a union without adding a condition. */
const BESIDE_UNION: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  '$comment',
  ...namesOf(({ name, role }) => role === 'annotation' && name !== 'default'),
])

interface Branch {
  readonly test: SchemaLocation
  readonly conjunction: Conjunction
  readonly kinds: ReadonlySet<ValueKind>
}

/** Reads the first union of a conjunction; the other ones are read inside its branches. */
export function lowerUnion(reader: Parser, conjunction: Conjunction): Node {
  const [group, ...others] = conjunction.unions
  const common: Conjunction = { ...conjunction, unions: others }
  const branches: Branch[] = []
  for (const test of flattenBranches(reader, group ?? [], new Set())) {
    const merged = reader.flattener.flatten([test], common)
    const kinds = kindsOf(reader, merged)
    if (merged.isImpossible) continue
    if (kinds.size > 0) branches.push({ test, conjunction: merged, kinds })
    const others = otherScalars(reader, merged)
    if (others.size > 0) branches.push({ test, conjunction: { ...merged, members: [] }, kinds: others })
  }
  if (branches.length === 0) return new NeverNode('no branch of the union can take a value')
  return chooseByKind(reader, branches)
}

/** Replaces each branch that is only a union by the branches of that union. */
function flattenBranches(
  reader: Parser,
  branches: readonly SchemaLocation[],
  seen: Set<unknown>,
): readonly SchemaLocation[] {
  return branches.flatMap((branch): readonly SchemaLocation[] => {
    const { schema } = branch
    if (!isSchemaObject(schema) || seen.has(schema)) return [branch]
    const flat = reader.flattener.flatten([branch])
    const [group, ...others] = flat.unions
    const isPure =
      group !== undefined &&
      others.length === 0 &&
      flat.conditionals.length === 0 &&
      flat.members.every((member) => Object.keys(member.schema).every((keyword) => BESIDE_UNION.has(keyword)))
    return isPure ? flattenBranches(reader, group, new Set([...seen, schema])) : [branch]
  })
}

function chooseByKind(reader: Parser, branches: readonly Branch[]): Node {
  const groups = new Map<string, { readonly takers: readonly Branch[]; readonly kinds: ValueKind[] }>()
  for (const kind of ALL_KINDS) {
    const takers = branches.filter((branch) => branch.kinds.has(kind))
    const key = takers.map((branch) => branches.indexOf(branch)).join()
    const known = groups.get(key)
    if (known !== undefined) known.kinds.push(kind)
    else if (takers.length > 0) groups.set(key, { takers, kinds: [kind] })
  }
  const cases = [...groups.values()].map(({ takers, kinds }): ChooseCase => ({
    kinds: kinds.includes('object') ? [...kinds, 'text-object'] : kinds,
    node: takersNode(reader, takers, kinds),
  }))
  const [first] = cases
  if (cases.length === 1 && first?.kinds.length === ALL_KINDS.length + 1) return first.node
  const kinds = cases.flatMap((entry) => entry.kinds)
  return new ChooseNode(cases, describeKinds(kinds))
}

function takersNode(reader: Parser, takers: readonly Branch[], kinds: readonly ValueKind[]): Node {
  const [only, ...others] = takers
  if (only !== undefined && others.length === 0 && !isAsserted(only, kinds)) {
    return reader.readConjunction(only.conjunction)
  }
  const isObjects = kinds.every((kind) => kind === 'object')
  return (isObjects ? switchNode(reader, takers) : undefined) ?? matchNode(reader, takers)
}

/** Keywords that can refuse a scalar of the right type. */
const ASSERTIONS: readonly string[] = [
  'enum',
  'const',
  'not',
  ...namesOf(
    ({ role, groups }) =>
      role === 'rule' && groups?.some((group) => group === 'number' || group === 'string') === true,
  ),
]

/** Whether a branch has conditions beyond the type of the value. */
function isAsserted(branch: Branch, kinds: readonly ValueKind[]): boolean {
  if (kinds.every((kind) => kind === 'object' || kind === 'array' || kind === 'null')) return false
  return ASSERTIONS.some((keyword) => hasKeyword(branch.conjunction, keyword))
}

function matchNode(reader: Parser, takers: readonly Branch[]): Node {
  const candidates = takers.map(({ test, conjunction }) => ({
    test: reader.readPredicate(test),
    node: reader.readConjunction(conjunction),
  }))
  return new MatchNode(candidates)
}

/** Returns a switch, when a declared property has a different constant in each branch. */
function switchNode(reader: Parser, takers: readonly Branch[]): Node | undefined {
  const tables = takers.map((branch) => constantsOf(reader, branch.conjunction))
  for (const property of tables[0]?.keys() ?? []) {
    const values = tables.map((table) => table.get(property) ?? [])
    const all = values.flat()
    if (values.some((list) => list.length === 0) || new Set(all).size !== all.length) continue
    const isAlwaysThere = takers.every(({ conjunction }) => requiredNames(conjunction).has(property))
    const cases = takers.map((branch, index) => ({
      values: values[index] ?? [],
      node: reader.readConjunction(branch.conjunction),
    }))
    return new SwitchNode(property, cases, isAlwaysThere ? undefined : matchNode(reader, takers))
  }
  return undefined
}

/** Returns the properties whose values are scalars of a list. */
function constantsOf(reader: Parser, conjunction: Conjunction): ReadonlyMap<string, readonly Scalar[]> {
  const constants = new Map<string, readonly Scalar[]>()
  for (const [name, schemas] of declaredProperties(conjunction)) {
    const values = literalValues(reader.flattener.flatten(locationsOfProperty(name, schemas)))
    if (values?.every(isScalar) === true) constants.set(name, values)
  }
  return constants
}

const SCALARS: readonly ValueKind[] = ['null', 'boolean', 'integer', 'fraction', 'string']

/** A keyword for one type says nothing about values of others. Scalars among these are written as they are. */
function otherScalars(reader: Parser, conjunction: Conjunction): ReadonlySet<ValueKind> {
  const inferred = inferredIn(reader, conjunction)
  const isOpen = declaredTypes(conjunction) === undefined && literalValues(conjunction) === undefined
  if (inferred === undefined || !isOpen || hasKeyword(conjunction, 'not')) return new Set()
  const own = new Set(kindsOfType(inferred))
  return new Set(SCALARS.filter((kind) => !own.has(kind)))
}

/** The type that Fastify 4.x infers from a keyword; the branches of a union tell the types themselves. */
function inferredIn(reader: Parser, conjunction: Conjunction): ReturnType<typeof inferredType> {
  return reader.isStrict || conjunction.unions.length > 0 ? undefined : inferredType(conjunction)
}

/** @param isTyped - whether a schema around it has a type, so that none is inferred */
function kindsOf(reader: Parser, conjunction: Conjunction, isTyped: boolean = false): ReadonlySet<ValueKind> {
  const declared = declaredTypes(conjunction)
  const inferred = isTyped ? undefined : inferredIn(reader, conjunction)
  const types = declared ?? (inferred === undefined ? undefined : [inferred])
  let kinds = new Set(types === undefined ? ALL_KINDS : types.flatMap(kindsOfType))
  const literals = literalValues(conjunction)
  if (literals !== undefined) kinds = intersect(kinds, literals.map(kindOfLiteral))
  for (const union of conjunction.unions) {
    const inner = flattenBranches(reader, union, new Set()).map((branch) =>
      reader.flattener.flatten([branch]),
    )
    const known = inner.every((branch) => branch.unions.length === 0)
    if (known)
      kinds = intersect(
        kinds,
        inner.flatMap((branch) => [...kindsOf(reader, branch, isTyped || declared !== undefined)]),
      )
  }
  return isNullable(conjunction) ? kinds.add('null') : kinds
}

function intersect(kinds: ReadonlySet<ValueKind>, others: readonly ValueKind[]): Set<ValueKind> {
  return new Set(others.filter((kind) => kinds.has(kind)))
}

function describeKinds(kinds: readonly ValueKind[]): string {
  const names = kinds.flatMap((kind) => {
    if (kind === 'text-object') return []
    if (kind === 'fraction') return ['number']
    return kind === 'integer' && kinds.includes('fraction') ? [] : [kind]
  })
  return [...new Set(names)].join(' or ')
}
