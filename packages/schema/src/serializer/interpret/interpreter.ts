/** Intermediate representation to closures. What they make of a value is its text, or a clean copy of it. */
import { isObject } from '../../guards.ts'
import { misfit, refuse } from '../../runtime/describe.ts'
import { isConstant, isOneOf } from '../../runtime/literals.ts'
import { isRecord } from '../../runtime/measures.ts'
import { createShapes, pickBranch } from '../../runtime/pick.ts'
import { isTextObject, unwrap, unwrapText } from '../../runtime/scalars.ts'
import type {
  ArrayNode,
  BranchNode,
  ChooseNode,
  MatchNode,
  Node,
  ObjectNode,
  ScalarNode,
  SwitchNode,
  ValueKind,
} from '../ir.ts'
import { shapesOf, tooLong } from '../nodes.ts'
import { DefinitionTable, type SharedWriters } from './definitions.ts'
import { tagReader } from './read.ts'
import { testOf, type ReadOptions, type Test, type Writer } from './writer.ts'

/** Makes the closures of one serializer. */
export abstract class Interpreter<Result> {
  readonly options: ReadOptions
  readonly #definitions: DefinitionTable<Result>

  /** @param shared - the writers of shared definitions that other serializers have made */
  constructor(options: ReadOptions, shared: SharedWriters<Result>) {
    this.options = options
    this.#definitions = new DefinitionTable(shared)
  }

  /** What is made of any value within another one. */
  protected abstract any(value: unknown): Result
  /** What is made of a JSON value of the schema. */
  protected abstract constant(value: unknown): Result
  protected abstract object(node: ObjectNode, isRecord: boolean): Writer<Result>
  protected abstract array(node: ArrayNode): Writer<Result>
  protected abstract scalar(node: ScalarNode): Writer<Result>

  /** The writer of the whole value. */
  protected whole(node: Node, write: Writer<Result> = this.writer(node, false)): Writer<Result> {
    return this.#definitions.finish(node, write)
  }

  /**
   * The writer of a node.
   * @param isRecord - the value is an object (no array, no date) whose `toJSON` has been called
   */
  writer(node: Node, isRecord: boolean): Writer<Result> {
    switch (node.kind) {
      case 'any':
        return this.any
      case 'never':
        return refusal(node.reason)
      case 'object':
        return this.object(node, isRecord)
      case 'array':
        return this.array(node)
      case 'nullable': {
        const [inner, text] = [
          this.writer(node.inner, isRecord),
          this.constant(node.text === 'null' ? null : {}),
        ]
        return (value) => (value === null ? text : inner(value))
      }
      case 'enum': {
        const [inner, { values }] = [this.writer(node.inner, isRecord), node]
        return (value) =>
          isOneOf(value, values) ? inner(value) : refuse('the value is not one of the values of the enum', '')
      }
      case 'const': {
        const { strict, value: literal } = node
        const made = this.constant(literal)
        return (value) =>
          !strict || isConstant(value, literal)
            ? made
            : refuse('the value is not the constant of the schema', '')
      }
      case 'ref':
        return this.#definitions.reference(node.target, (inner) => this.writer(inner, false))
      case 'shared':
        return this.#definitions.shared(node.definition, (inner) => this.writer(inner, false))
      case 'choose':
      case 'switch':
      case 'match':
      case 'condition':
        return this.#branches(node, isRecord)
      default:
        return this.scalar(node)
    }
  }

  /** The writers of the items of an array: of those at its beginning, and of any behind them. */
  protected items({ prefix, rest }: ArrayNode): Items<Result> {
    return {
      prefix: prefix.map((node) => this.writer(node, false)),
      rest: rest === undefined ? refusal(tooLong(prefix.length)) : this.writer(rest, false),
    }
  }

  #branches(node: BranchNode, isRecord: boolean): Writer<Result> {
    const write = this.#branchOf(node, isRecord)
    if (isRecord) return write
    const keepsText = node.kind === 'choose' && node.cases.some(({ kinds }) => kinds.includes('text-object'))
    const convert = keepsText ? unwrapText : unwrap
    return (value) => write(isJsonSource(value) ? convert(value) : value)
  }

  #branchOf(node: BranchNode, isRecord: boolean): Writer<Result> {
    switch (node.kind) {
      case 'choose':
        return this.#choose(node, isRecord)
      case 'switch':
        return this.#switch(node, isRecord)
      case 'match':
        return this.#match(node, isRecord)
      case 'condition': {
        const test = testOf(node.test)
        const then = this.writer(node.then, isRecord)
        const otherwise = this.writer(node.otherwise, isRecord)
        return (value) => (test(value) ? then(value) : otherwise(value))
      }
    }
  }

  #choose(node: ChooseNode, isRecord: boolean): Writer<Result> {
    const isOfObject = (kind: ValueKind): boolean => kind === 'object' || kind === 'text-object'
    const cases = node.cases.map(({ kinds, node: inner }) => ({
      test: kindTest(kinds),
      write: this.writer(inner, kinds.every(isOfObject)),
    }))
    const otherwise = this.#fallBack(node.otherwise, node.expected, isRecord)
    return (value) => {
      for (const { test, write } of cases) if (test(value)) return write(value)
      return otherwise(value)
    }
  }

  #switch(node: SwitchNode, isRecord: boolean): Writer<Result> {
    const byTag = new Map<unknown, Writer<Result>>()
    for (const { values, node: inner } of node.cases) {
      const write = this.writer(inner, true)
      for (const value of values) if (!byTag.has(value)) byTag.set(value, write)
    }
    const readTag = tagReader(node.property, this.options)
    const expected = `one of the known values of ${JSON.stringify(node.property)}`
    const otherwise = this.#fallBack(node.otherwise, expected, isRecord)
    return (value) => (byTag.get(readTag(value)) ?? otherwise)(value)
  }

  #match({ candidates, expected }: MatchNode, isRecord: boolean): Writer<Result> {
    const tests = candidates.map(({ test }) => testOf(test))
    const writers = candidates.map(({ node }) => this.writer(node, isRecord))
    const { entries, roots } = shapesOf(candidates.map(({ node }) => node))
    const shapes = createShapes(entries)
    return (value) => {
      const write = writers[pickBranch(value, tests, shapes, roots)]
      return write === undefined ? misfit(expected, value, '') : write(value)
    }
  }

  #fallBack(node: Node | undefined, expected: string, isRecord: boolean): Writer<Result> {
    return node === undefined ? (value) => misfit(expected, value, '') : this.writer(node, isRecord)
  }
}

/** The writers of the items of an array. */
interface Items<Result> {
  readonly prefix: readonly Writer<Result>[]
  readonly rest: Writer<Result>
}

/** The writer of what no value fits. */
function refusal(reason: string): Writer<never> {
  return () => refuse(reason, '')
}

function isJsonSource(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value) && value['toJSON'] !== undefined
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
