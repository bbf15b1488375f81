import { code, type Code } from '../../codegen/code.ts'
import { quoted, type TextContext, type TextExpression } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import type { Closures, Writer } from './closures.ts'
import { Node } from './node.ts'

/** A value that may be `null`. */
export class NullableNode extends Node {
  override readonly isLeaf: boolean = false
  readonly inner: Node
  /** Fastify 4.x writes `{}` for `null` where the object is not nullable. */
  readonly #text: 'null' | '{}'

  constructor(inner: Node, text: 'null' | '{}' = 'null') {
    super()
    this.inner = inner
    this.#text = text
  }

  override get children(): readonly Node[] {
    return [this.inner]
  }

  override get written(): Node {
    return this.inner.written
  }

  writer<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const [inner, text] = [
      this.inner.writer(closures, isRecord),
      closures.constant(this.#text === 'null' ? null : {}),
    ]
    return (value) => (value === null ? text : inner(value))
  }

  override expression(value: Code, context: CodeContext): TextExpression | undefined {
    const inner = this.inner.expression(value, context)
    if (inner === undefined) return undefined
    return { before: '', value: code`(${value} === null ? ${this.#text} : ${quoted(inner)})`, after: '' }
  }

  override appendInline(value: Code, context: TextContext): void {
    this.inner.appendUnless(code`${value} === null`, this.#text, value, context)
  }

  copyInline(value: Code, context: CodeContext): Code {
    const fallback = this.#text === 'null' ? code`null` : code`{}`
    return this.inner.copyUnless(code`${value} === null`, fallback, value, context)
  }
}
