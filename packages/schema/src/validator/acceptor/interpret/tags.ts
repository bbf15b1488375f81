import { isObject } from '../../../guards.ts'
import type { CheckNode, PropertiesTest, TestNode } from '../ir.ts'
import { REJECTED, type Step } from './verdict.ts'

/*
 * Branches of a union often say by one property which values are theirs: each allows other texts for it. Then the
 * others need not be tried.
 */

/** Which branches are left for the text of a property. */
interface Tags {
  readonly name: string
  readonly branches: ReadonlyMap<unknown, readonly number[]>
}

/** A property, and the texts that it may have. */
interface Tag {
  readonly name: string
  readonly values: readonly unknown[]
}

/** Finds the property whose text names the branch; undefined where there is none. */
function tagsOf(nodes: readonly CheckNode[]): Tags | undefined {
  const tags = nodes.map(firstTag)
  const name = tags[0]?.name
  if (name === undefined) return undefined
  const branches = new Map<unknown, number[]>()
  for (const [index, tag] of tags.entries()) {
    if (tag?.name !== name) return undefined
    for (const value of new Set(tag.values)) branches.set(value, [...(branches.get(value) ?? []), index])
  }
  return { name, branches }
}

/**
 * The first property of a branch, and the texts that it may have. Nothing that is tested before it can leave a value to
 * the decider: a value with another text is rejected.
 */
function firstTag(node: CheckNode): Tag | undefined {
  const test = objectTests(node)?.find(({ kind }) => kind !== 'required' && kind !== 'size')
  return test?.kind === 'properties' ? tagOf(test) : undefined
}

/** The tests of a node that is about objects. */
function objectTests({ type, tests }: CheckNode): readonly TestNode[] | undefined {
  if (type !== undefined) return type.types.length === 1 && type.types[0] === 'object' ? tests : undefined
  const [only] = tests
  if (only === undefined || tests.length > 1) return undefined
  if (only.kind === 'reference') return only.target.node.type && objectTests(only.target.node)
  return only.kind === 'when' && only.group === 'object' ? only.tests : undefined
}

function tagOf({ properties: [first] }: PropertiesTest): Tag | undefined {
  const test = first?.node.tests[0]
  if (first === undefined || test?.kind !== 'literals' || first.presence === 'filled') return undefined
  const types = first.node.type?.types
  const isText = types === undefined || types.includes('string')
  return isText && first.name !== '__proto__' ? { name: first.name, values: test.values } : undefined
}

/**
 * The steps of a union, of which those are run that the text of a property leaves.
 * @param all - runs every branch
 * @param some - makes what runs some of them
 */
export function tagged(
  nodes: readonly CheckNode[],
  steps: readonly Step[],
  union: (steps: readonly Step[]) => Step,
): Step {
  const all = union(steps)
  const tags = nodes.length > 1 ? tagsOf(nodes) : undefined
  if (tags === undefined) return all
  const { name, branches } = tags
  const byText = new Map<unknown, Step>()
  for (const [text, indices] of branches) {
    const left = steps.filter((_step, index) => indices.includes(index))
    const [only] = left
    byText.set(text, left.length === 1 && only !== undefined ? only : union(left))
  }
  return (value, log) => {
    const text = isObject(value) && !Array.isArray(value) ? value[name] : undefined
    if (typeof text !== 'string') return all(value, log)
    const left = byText.get(text)
    return left === undefined ? REJECTED : left(value, log)
  }
}
