/** Nodes that choose one of several others, by tests of the value. */
import { code, type Code } from '../../codegen/code.ts'
import { isObject } from '../../guards.ts'
import type { ShapeEntry } from '../../runtime/pick.ts'
import { misfit } from '../../runtime/describe.ts'
import { unwrap, unwrapText } from '../../runtime/scalars.ts'
import { JUDGE, Look, YES } from '../../walk/look.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { TextContext } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import type { Closures, Writer } from './closures.ts'
import { Node, type ShapeIndexes } from './node.ts'

/** Whether a value passes. */
export type Test = (value: unknown) => boolean

/** Writes the code of one branch. */
export type Body = (node: Node, isRecord: boolean) => void

/** A node that chooses one of several others. */
export abstract class BranchNode extends Node {
  override readonly isLeaf: boolean = false
  /** Whether a value with its own text keeps it. */
  protected readonly keepsText: boolean = false
  /** The expected value, for the error of a value that no branch accepts; unused if there is a node for it. */
  readonly #expected: string
  /** The node of a value that no branch accepts. */
  protected readonly otherwise: Node | undefined

  constructor(branches: readonly Node[], expected: string = '', otherwise?: Node) {
    super(otherwise === undefined ? branches : [...branches, otherwise])
    this.#expected = expected
    this.otherwise = otherwise
  }

  /** The writer of the value in its JSON form, as far as its kind depends on that. */
  protected abstract choose<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result>

  /** Writes the tests with the body of each branch. */
  protected abstract emit(value: Code, context: CodeContext, body: Body): void

  writer<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const write = this.choose(closures, isRecord)
    if (isRecord) return write
    const convert = this.keepsText ? unwrapText : unwrap
    return (value) => write(isJsonSource(value) ? convert(value) : value)
  }

  override appendInline(value: Code, context: TextContext): void {
    const { out } = context
    const start = out.hold()
    const own = this.#unwrapped(value, context)
    this.emit(own, context, (node, isRecord) => {
      out.literal(start)
      node.append(own, { ...context, isRecord })
      out.flush()
    })
  }

  copyInline(value: Code, context: CodeContext): Code {
    const { writer } = context.scope
    const result = context.unit.writer.unique('r')
    writer.line(code`let ${result}`)
    const own = this.#unwrapped(value, context)
    this.emit(own, context, (node, isRecord) => {
      const copy = node.copy(own, { ...context, isRecord })
      writer.line(code`${result} = ${copy}`)
    })
    return result
  }

  /** The writer of a value that no branch accepts. */
  protected otherwiseWriter<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const expected = this.#expected
    return this.otherwise?.writer(closures, isRecord) ?? ((value) => misfit(expected, value, ''))
  }

  /** Writes the code for a value that no branch accepts. */
  protected emitOtherwise(value: Code, { unit, scope, pointer, isRecord }: CodeContext, body: Body): void {
    if (this.otherwise !== undefined) return body(this.otherwise, isRecord)
    scope.writer.line(code`${unit.writer.use('misfit')}(${this.#expected}, ${value}, ${pointer})`)
  }

  /** Replaces an object by its JSON form, before its kind is tested. */
  #unwrapped(value: Code, { unit, scope, isRecord }: CodeContext): Code {
    if (isRecord) return value
    const { writer } = unit
    const own = writer.unique('v')
    const convert = writer.use(this.keepsText ? 'unwrapText' : 'unwrap')
    const test = code`typeof ${value} === 'object' && ${value} !== null && !${writer.use('isArray')}(${value}) && ${value}.toJSON !== undefined`
    scope.writer.line(code`const ${own} = (${test} ? ${convert}(${value}) : ${value})`)
    return own
  }
}

function isJsonSource(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value) && value['toJSON'] !== undefined
}

/** The test of a predicate. */
export function testOf(predicate: SchemaNode): Test {
  const look = new Look()
  return (value) => predicate.plan.lookAsBranch(value, look.begin(JUDGE)) === YES
}

/** `if` / `then` / `else`. */
export class ConditionNode extends BranchNode {
  readonly test: SchemaNode
  readonly #then: Node

  constructor(test: SchemaNode, then: Node, otherwise: Node) {
    super([then], '', otherwise)
    this.test = test
    this.#then = then
  }

  override shape(indexes: ShapeIndexes): ShapeEntry {
    const { otherwise } = this
    return {
      kind: 'first',
      tests: [indexes.ofTest(this.test)],
      shapes: [indexes.of(this.#then)],
      otherwise: otherwise === undefined ? null : indexes.of(otherwise),
    }
  }

  protected choose<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const test = testOf(this.test)
    const then = this.#then.writer(closures, isRecord)
    const otherwise = this.otherwiseWriter(closures, isRecord)
    return (value) => (test(value) ? then(value) : otherwise(value))
  }

  protected emit(value: Code, context: CodeContext, body: Body): void {
    const { unit, scope, isRecord } = context
    const test = unit.predicates.nameOf(this.test)
    scope.writer.block(code`if (${test}(${value}))`, () => body(this.#then, isRecord))
    scope.writer.block(code`else`, () => this.emitOtherwise(value, context, body))
  }
}
