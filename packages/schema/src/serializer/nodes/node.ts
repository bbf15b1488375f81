/**
 * How the text of a value is made. `read/` makes every decision about it and writes it down as nodes; a node reads no
 * schema. Each kind of node is a class with its two ways to run: closures, and code that a unit compiles. Both write the
 * text piece by piece, or copy the value for one native `JSON.stringify`.
 *
 * Nodes that are `strict` refuse a value of another type. The others convert it as Fastify 4.x does.
 */
import { NOTHING } from '../../guards.ts'
import { code, type Code } from '../../codegen/code.ts'
import type { ShapeEntry } from '../../runtime/pick.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { TextContext, TextExpression } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import type { Closures, Writer } from './closures.ts'

const WHOLE: ShapeEntry = { kind: 'whole' }

/** The function that tests whether `JSON.stringify` can write all items of a list as they are. */
export type ListTest = 'areStrings' | 'areIntegers' | 'areNumbers'

/** Gives the numbers of the parts of a shape. */
export interface ShapeIndexes {
  /** the number of a node */
  of(node: Node): number
  /** the number of a test */
  ofTest(test: SchemaNode): number
}

/** The result for a value: text or a copy. */
export abstract class Node {
  /** Whether it never becomes a function when it is reached by reference. */
  readonly isLeaf: boolean = true
  /** The test of a list of such values; undefined where their text is not that of `JSON.stringify`. */
  readonly listTest: ListTest | undefined = undefined
  /** The nodes directly inside; the target of a reference is not inside it. */
  readonly children: readonly Node[]
  #weight: number | undefined

  constructor(children: readonly Node[] = NOTHING) {
    this.children = children
  }

  /** Estimates the size of its code, which decides what becomes a separate function. */
  get weight(): number {
    return (this.#weight ??= this.children.reduce((sum, child) => sum + child.weight, 1))
  }

  /** The node that decides which properties are written. */
  get written(): Node {
    return this
  }

  /** The properties that it writes, as data for `pickBranch`. */
  shape(_indexes: ShapeIndexes): ShapeEntry {
    return WHOLE
  }

  /**
   * The closure.
   * @param isRecord - the value is an object (no array, no date) whose `toJSON` has been called
   */
  abstract writer<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result>

  /** The text as one expression between two literals; undefined when it needs statements. */
  expression(_value: Code, _context: CodeContext): TextExpression | undefined {
    return undefined
  }

  /** Appends the text, written in place. */
  appendInline(value: Code, context: TextContext): void {
    const whole = this.expression(value, context)
    if (whole !== undefined) context.out.expression(whole)
  }

  /** Returns an expression for the copy, after the statements that it needs; written in place. */
  abstract copyInline(value: Code, context: CodeContext): Code

  /** Appends the text, in place or by a call. */
  append(value: Code, context: TextContext): void {
    const { unit, scope, out, pointer } = context
    if (!unit.isOutlined(this, scope)) return this.appendInline(value, context)
    const call = unit.callOf(this, value, scope)
    if (pointer === '') {
      out.value(call)
      return
    }
    out.flush()
    scope.writer.line(code`try {`)
    out.value(call).flush()
    scope.writer.line(code`} ${unit.catchAt(pointer)}`)
  }

  /** Returns an expression for the copy, made in place or by a call. */
  copy(value: Code, context: CodeContext): Code {
    const { unit, scope, pointer } = context
    if (!unit.isOutlined(this, scope)) return this.copyInline(value, context)
    const call = unit.callOf(this, value, scope)
    if (pointer === '') return call
    const result = unit.writer.unique('r')
    scope.writer.line(code`let ${result}`)
    scope.writer.line(code`try { ${result} = ${call} } ${unit.catchAt(pointer)}`)
    return result
  }

  /** Appends fixed text where a test holds, else the text of the value. */
  appendUnless(test: Code, fixed: string, value: Code, context: TextContext): void {
    const { out, scope } = context
    const expression = this.expression(value, context)
    if (expression !== undefined) return out.either(test, fixed, expression)
    const start = out.hold()
    scope.writer.block(code`if (${test})`, () => out.literal(start).text(fixed).flush())
    scope.writer.block(code`else`, () => {
      out.literal(start)
      this.append(value, { ...context, isRecord: false })
      out.flush()
    })
  }

  /** Returns the copy, or `fallback` when the test holds. */
  copyUnless(test: Code, fallback: Code, value: Code, context: CodeContext): Code {
    const { unit, scope } = context
    const nested = scope.writer.nested()
    const copy = this.copy(value, { ...context, scope: { ...scope, writer: nested } })
    const statements = nested.toCode()
    if (statements.toString() === '') return code`(${test} ? ${fallback} : ${copy})`
    const result = unit.writer.unique('r')
    scope.writer.line(code`let ${result} = ${fallback}`)
    scope.writer.block(code`if (!(${test}))`, () => {
      scope.writer.line(statements)
      scope.writer.line(code`${result} = ${copy}`)
    })
    return result
  }
}

/** A node with different closures for text and for copies. */
export abstract class FormedNode extends Node {
  /** The closure that writes text. */
  abstract textWriter(closures: Closures<string>, isRecord: boolean): Writer<string>

  /** The closure that copies. */
  abstract copyWriter(closures: Closures<unknown>, isRecord: boolean): Writer<unknown>

  writer<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    return closures.form.formed(this, closures, isRecord)
  }
}
