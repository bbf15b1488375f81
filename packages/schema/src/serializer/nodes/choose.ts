import { code, join, type Code } from '../../codegen/code.ts'
import { isRecord } from '../../runtime/measures.ts'
import type { ShapeEntry } from '../../runtime/pick.ts'
import { isTextObject } from '../../runtime/scalars.ts'
import type { CodeContext } from '../emit/unit.ts'
import { BranchNode, type Body, type Test } from './branch.ts'
import type { Closures, Writer } from './closures.ts'
import type { Node, ShapeIndexes } from './node.ts'

/**
 * The disjoint kinds of values that a schema can distinguish. `text-object` is an object with its own `toString` (no
 * date, no array), which compat mode may convert to a string.
 */
export type ValueKind = (typeof VALUE_KINDS)[number]

/** All kinds, in the order in which branches of a union are chosen. */
export const VALUE_KINDS = [
  'null',
  'boolean',
  'integer',
  'fraction',
  'string',
  'array',
  'object',
  'text-object',
] as const

/** One arm of a {@link ChooseNode}. */
export interface ChooseCase {
  readonly kinds: readonly ValueKind[]
  readonly node: Node
}

/** A chain of type tests. */
export class ChooseNode extends BranchNode {
  protected override readonly keepsText: boolean
  readonly #cases: readonly ChooseCase[]

  constructor(cases: readonly ChooseCase[], expected: string, otherwise?: Node) {
    const nodes = cases.map(({ node }) => node)
    super(nodes, expected, otherwise)
    this.#cases = cases
    this.keepsText = cases.some(({ kinds }) => kinds.includes('text-object'))
  }

  override shape(indexes: ShapeIndexes): ShapeEntry {
    const indexOf = (kind: ValueKind): number | null => {
      const node = this.#cases.find(({ kinds }) => kinds.includes(kind))?.node ?? this.otherwise
      return node === undefined ? null : indexes.of(node)
    }
    return { kind: 'kinds', object: indexOf('object'), array: indexOf('array') }
  }

  protected choose<Result>(closures: Closures<Result>, isObject: boolean): Writer<Result> {
    const cases = this.#cases.map(({ kinds, node }) => ({
      test: kindTest(kinds),
      write: node.writer(closures, kinds.every(isOfObject)),
    }))
    const otherwise = this.otherwiseWriter(closures, isObject)
    return (value) => {
      for (const { test, write } of cases) if (test(value)) return write(value)
      return otherwise(value)
    }
  }

  protected emit(value: Code, context: CodeContext, body: Body): void {
    const { writer } = context.scope
    let head = code`if`
    for (const { kinds, node } of this.#cases) {
      writer.block(code`${head} (${kindCode(kinds, value, context)})`, () =>
        body(node, kinds.every(isOfObject)),
      )
      head = code`else if`
    }
    writer.block(code`else`, () => this.emitOtherwise(value, context, body))
  }
}

function isOfObject(kind: ValueKind): boolean {
  return kind === 'object' || kind === 'text-object'
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
    tests.push(has('text-object') ? isRecord : (value) => isRecord(value) && !isTextObject(value))
  } else if (has('text-object')) tests.push(isTextObject)
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (value) => {
    for (const test of tests) if (test(value)) return true
    return false
  }
}

/** As {@link kindTest}, as an expression. */
function kindCode(kinds: readonly ValueKind[], value: Code, { unit }: CodeContext): Code {
  const has = (kind: ValueKind): boolean => kinds.includes(kind)
  const isArray = (): Code => code`${unit.writer.use('isArray')}(${value})`
  const isObject = (): Code =>
    code`(typeof ${value} === 'object' && ${value} !== null && !${isArray()} && !(${value} instanceof Date))`
  const isText = (): Code => code`${unit.writer.use('isTextObject')}(${value})`
  const tests: Code[] = []
  if (has('null')) tests.push(code`${value} === null`)
  if (has('boolean')) tests.push(code`typeof ${value} === 'boolean'`)
  if (has('integer') && has('fraction')) tests.push(code`typeof ${value} === 'number'`)
  else if (has('integer')) tests.push(code`Number.isInteger(${value})`)
  else if (has('fraction')) tests.push(code`(typeof ${value} === 'number' && !Number.isInteger(${value}))`)
  if (has('integer')) tests.push(code`typeof ${value} === 'bigint'`)
  if (has('string')) tests.push(code`typeof ${value} === 'string' || ${value} instanceof Date`)
  if (has('array')) tests.push(isArray())
  if (has('object')) tests.push(has('text-object') ? isObject() : code`(${isObject()} && !${isText()})`)
  else if (has('text-object')) tests.push(isText())
  return code`(${join(tests, code` || `)})`
}
