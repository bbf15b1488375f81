/** Any value, and none. */
import { code, type Code } from '../../codegen/code.ts'
import { refuse } from '../../runtime/describe.ts'
import type { TextContext, TextExpression } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import type { Closures, Writer } from './closures.ts'
import { Node } from './node.ts'

class AnyNode extends Node {
  writer<Result>(closures: Closures<Result>): Writer<Result> {
    return closures.form.any
  }

  override expression(value: Code, { unit, pointer }: CodeContext): TextExpression {
    return { before: '', value: code`${unit.writer.use('itemText')}(${value}, ${pointer})`, after: '' }
  }

  copyInline(value: Code, { unit }: CodeContext): Code {
    return code`${unit.writer.use('anyValueOrNull')}(${value})`
  }
}

/** The node of a value that is written as `JSON.stringify` writes it. */
export const ANY: Node = new AnyNode()

/** The node of a value that no schema allows. */
export class NeverNode extends Node {
  readonly #reason: string

  constructor(reason: string) {
    super()
    this.#reason = reason
  }

  writer<Result>(): Writer<Result> {
    return refusal(this.#reason)
  }

  override appendInline(_value: Code, { unit, scope, pointer }: TextContext): void {
    scope.writer.line(unit.refuse(this.#reason, pointer))
  }

  copyInline(_value: Code, { unit, scope, pointer }: CodeContext): Code {
    scope.writer.line(unit.refuse(this.#reason, pointer))
    return code`null`
  }
}

/** The writer of what no value fits. */
export function refusal(reason: string): Writer<never> {
  return () => refuse(reason, '')
}
