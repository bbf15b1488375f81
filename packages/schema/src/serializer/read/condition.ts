/**
 * `if` / `then` / `else`. Conditions on one value are decided one after the other. A passed test that compares a
 * required property with a constant also decides later tests of that property, so that each `if kind is X` of a long
 * list adds one outcome and does not double them.
 */
import type { SchemaLocation } from '../../document/location.ts'
import type { Conditional, Conjunction } from './conjunction.ts'
import { SerializerBuildError } from './source.ts'
import type { Parser } from './parse.ts'
import { ConditionNode } from '../nodes/branch.ts'
import type { Node } from '../nodes/node.ts'
import { entriesOf, literalValues, requiredNames } from './keywords.ts'

const MAX_OUTCOMES = 256

interface Fact {
  readonly name: string
  readonly value: unknown
}

/** Reads the conditions of a conjunction into a tree of tests. */
export function parseCondition(reader: Parser, conjunction: Conjunction): Node {
  const budget = { outcomes: MAX_OUTCOMES }
  return decide(reader, { ...conjunction, conditionals: [] }, conjunction.conditionals, [], budget)
}

function decide(
  reader: Parser,
  settled: Conjunction,
  open: readonly Conditional[],
  facts: readonly Fact[],
  budget: { outcomes: number },
): Node {
  const [next, ...later] = open
  if (next === undefined) return readOutcome(reader, settled, budget)
  const own = factOf(reader, settled, next.test)
  const known = own === undefined ? undefined : facts.find((fact) => fact.name === own.name)
  const follow = (branch: SchemaLocation | undefined, learnt: readonly Fact[]): Node => {
    const merged = branch === undefined ? settled : reader.flattener.flatten([branch], settled)
    const { conditionals, ...rest } = merged
    return decide(reader, { ...rest, conditionals: [] }, [...conditionals, ...later], learnt, budget)
  }
  if (own !== undefined && known !== undefined) {
    return follow(known.value === own.value ? next.then : next.otherwise, facts)
  }
  const test = reader.readPredicate(next.test)
  const then = follow(next.then, own === undefined ? facts : [...facts, own])
  return new ConditionNode(test, then, follow(next.otherwise, facts))
}

function readOutcome(reader: Parser, settled: Conjunction, budget: { outcomes: number }): Node {
  budget.outcomes -= 1
  if (budget.outcomes < 0) {
    throw new SerializerBuildError(
      `one value has independent conditions with more than ${MAX_OUTCOMES} outcomes; use oneOf with a discriminator`,
      settled.members[0]?.location.pointer ?? '',
    )
  }
  return reader.readConjunction(settled)
}

/** Returns the fact of a passed test of this form: one required property equals one primitive. */
function factOf(reader: Parser, settled: Conjunction, test: SchemaLocation): Fact | undefined {
  const flat = reader.flattener.flatten([test])
  const [member] = flat.members
  if (flat.members.length !== 1 || flat.unions.length > 0 || member === undefined) return undefined
  if (Object.keys(member.schema).some((keyword) => !['type', 'properties', 'required'].includes(keyword))) {
    return undefined
  }
  const [entry, ...others] = entriesOf(member, 'properties')
  if (entry === undefined || others.length > 0) return undefined
  const [name, location] = entry
  if (!requiredNames(flat).has(name) && !requiredNames(settled).has(name)) return undefined
  const values = literalValues(reader.flattener.flatten([location]))
  const [value] = values ?? []
  return values?.length === 1 && typeof value !== 'object' ? { name, value } : undefined
}
