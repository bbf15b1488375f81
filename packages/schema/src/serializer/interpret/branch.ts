/** Closures that find the branch for a value. */
import { isObject } from '../../guards.ts'
import { isRecord as isRecordValue } from '../../runtime/measures.ts'
import { misfit } from '../../runtime/describe.ts'
import { createShapes, pickBranch } from '../../runtime/pick.ts'
import { isTextObject, unwrap, unwrapText } from '../../runtime/scalars.ts'
import type { BranchNode, ChooseNode, MatchNode, Node, SwitchNode, ValueKind } from '../ir.ts'
import { shapesOf } from '../nodes.ts'
import { tagReader } from './read.ts'
import { testOf, type Test, type Writer, type WriterContext } from './writer.ts'

/** The writer of a node that stands for one of several others. */
export function branchWriter<Result>(
  context: WriterContext<Result>,
  node: BranchNode,
  isRecord: boolean,
): Writer<Result> {
  const write = branchOf(context, node, isRecord)
  if (isRecord) return write
  const keepsText = node.kind === 'choose' && node.cases.some(({ kinds }) => kinds.includes('text-object'))
  const convert = keepsText ? unwrapText : unwrap
  return (value) => write(isJsonSource(value) ? convert(value) : value)
}

function isJsonSource(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value) && value['toJSON'] !== undefined
}

function branchOf<Result>(
  context: WriterContext<Result>,
  node: BranchNode,
  isRecord: boolean,
): Writer<Result> {
  switch (node.kind) {
    case 'choose':
      return chooseWriter(context, node, isRecord)
    case 'switch':
      return switchWriter(context, node, isRecord)
    case 'match':
      return matchWriter(context, node, isRecord)
    case 'condition': {
      const test = testOf(node.test)
      const then = context.writer(node.then, isRecord)
      const otherwise = context.writer(node.otherwise, isRecord)
      return (value) => (test(value) ? then(value) : otherwise(value))
    }
  }
}

function chooseWriter<Result>(
  context: WriterContext<Result>,
  node: ChooseNode,
  isRecord: boolean,
): Writer<Result> {
  const cases = node.cases.map(({ kinds, node: inner }) => ({
    test: kindTest(kinds),
    write: context.writer(
      inner,
      kinds.every((kind) => kind === 'object' || kind === 'text-object'),
    ),
  }))
  const otherwise = fallBack(context, node.otherwise, node.expected, isRecord)
  return (value) => {
    for (const { test, write } of cases) if (test(value)) return write(value)
    return otherwise(value)
  }
}

function switchWriter<Result>(
  context: WriterContext<Result>,
  node: SwitchNode,
  isRecord: boolean,
): Writer<Result> {
  const byTag = new Map<unknown, Writer<Result>>()
  for (const { values, node: inner } of node.cases) {
    const write = context.writer(inner, true)
    for (const value of values) if (!byTag.has(value)) byTag.set(value, write)
  }
  const readTag = tagReader(node.property, context.options)
  const expected = `one of the known values of ${JSON.stringify(node.property)}`
  const otherwise = fallBack(context, node.otherwise, expected, isRecord)
  return (value) => (byTag.get(readTag(value)) ?? otherwise)(value)
}

function matchWriter<Result>(
  context: WriterContext<Result>,
  node: MatchNode,
  isRecord: boolean,
): Writer<Result> {
  const tests = node.candidates.map(({ test }) => testOf(test))
  const writers = node.candidates.map((candidate) => context.writer(candidate.node, isRecord))
  const { entries, roots } = shapesOf(node.candidates.map((candidate) => candidate.node))
  const shapes = createShapes(entries)
  const { expected } = node
  return (value) => {
    const write = writers[pickBranch(value, tests, shapes, roots)]
    return write === undefined ? misfit(expected, value, '') : write(value)
  }
}

function fallBack<Result>(
  context: WriterContext<Result>,
  node: Node | undefined,
  expected: string,
  isRecord: boolean,
): Writer<Result> {
  return node === undefined ? (value) => misfit(expected, value, '') : context.writer(node, isRecord)
}

/** Whether a value is of one of the kinds. */
function kindTest(kinds: readonly ValueKind[]): Test {
  const has = (kind: ValueKind): boolean => kinds.includes(kind)
  const tests: Test[] = []
  if (has('null')) tests.push((value) => value === null)
  if (has('boolean')) tests.push((value) => typeof value === 'boolean')
  if (has('integer') && has('fraction')) tests.push((value) => typeof value === 'number')
  else if (has('integer')) tests.push((value) => Number.isInteger(value))
  else if (has('fraction')) tests.push((value) => typeof value === 'number' && !Number.isInteger(value))
  if (has('integer')) tests.push((value) => typeof value === 'bigint')
  if (has('string')) tests.push((value) => typeof value === 'string' || value instanceof Date)
  if (has('array')) tests.push((value) => Array.isArray(value))
  if (has('object')) {
    tests.push(has('text-object') ? isRecordValue : (value) => isRecordValue(value) && !isTextObject(value))
  } else if (has('text-object')) tests.push(isTextObject)
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (value) => {
    for (const test of tests) if (test(value)) return true
    return false
  }
}
