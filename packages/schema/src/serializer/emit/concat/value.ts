/** Intermediate representation to code that builds the text of the value piece by piece. */
import { code, name, type Code } from '../../../codegen/code.ts'
import type { BranchNode, Node, StringNode } from '../../ir.ts'
import { isBranching, isScalar } from '../../nodes.ts'
import { emitBranches } from '../branching.ts'
import { numberTextValue, scalarValue, stringText } from '../scalars.ts'
import { Emitter, type FunctionScope } from '../unit.ts'
import { emitArrayText, emitObjectText } from './containers.ts'
import { appendEither, Out, quoted, type TextContext, type TextEmitter, type TextExpression } from './out.ts'

/** Writes the text of nodes. */
export class ConcatEmitter extends Emitter implements TextEmitter {
  emitRoot(root: Node): void {
    const { unit } = this
    const main = unit.writer.nested()
    const payload = name('payload')
    main.block(code`return function serialize(${payload})`, () => {
      this.emitBody(root, unit.functionScope(main, code`0`), payload)
    })
    unit.writer.line(main.toCode())
  }

  /** Appends the text of a value. */
  emit(node: Node, value: Code, context: TextContext): void {
    if (this.unit.isOutlined(node, context.scope)) return this.#emitCall(node, value, context)
    this.#emitInline(node, value, context)
  }

  /** Appends the text of a string field, which most fields are. */
  emitString(node: StringNode, value: Code, { scope, out, pointer }: TextContext): void {
    scope.budget.left -= 1
    out
      .text('"')
      .value(stringText(this.unit, node, value, pointer))
      .text('"')
  }

  #emitInline(node: Node, value: Code, context: TextContext): void {
    if (node.kind === 'boolean') return this.#emitBoolean(node, value, context)
    if (node.kind === 'null') return this.#emitNull(node, value, context)
    if (node.kind === 'nullable')
      return this.emitUnless(code`${value} === null`, node.text, node.inner, value, context)
    const whole = this.expression(node, value, context.pointer)
    if (whole !== undefined) {
      context.out.text(whole.before).value(whole.value).text(whole.after)
      return
    }
    if (isBranching(node)) return this.#emitBranches(node, value, context)
    switch (node.kind) {
      case 'object':
        return emitObjectText(this, node, value, context)
      case 'array':
        return emitArrayText(this, node, value, context)
      case 'ref':
        return this.emit(node.target.node, value, context)
      case 'enum':
        context.scope.writer.line(this.unit.snippets.refuseOthers(node, value, context.pointer))
        return this.emit(node.inner, value, context)
      case 'const':
        if (node.strict)
          context.scope.writer.line(this.unit.snippets.refuseOthers(node, value, context.pointer))
        context.out.text(JSON.stringify(node.value))
        return
      case 'never':
        context.scope.writer.line(this.unit.snippets.refuse(node.reason, context.pointer))
        break
      case 'any':
      case 'string':
      case 'number':
      case 'integer':
      case 'shared':
        // `expression` has written the other kinds above.
        break
    }
  }

  /**
   * Returns the text of a value as one expression between two literals; undefined when it needs statements.
   */
  expression(node: Node, value: Code, pointer: string): TextExpression | undefined {
    const { unit } = this
    if (node.kind === 'any') {
      const text = code`${unit.writer.use('itemText')}(${value}, ${pointer})`
      return { before: '', value: text, after: '' }
    }
    if (node.kind === 'string') {
      return { before: '"', value: stringText(unit, node, value, pointer), after: '"' }
    }
    if (node.kind === 'number') {
      return { before: '', value: numberTextValue(unit, node, value, pointer), after: '' }
    }
    if (isScalar(node)) return { before: '', value: scalarValue(unit, node, value, pointer), after: '' }
    if (node.kind === 'shared') {
      return { before: '', value: unit.sharedCall(node.definition, value, pointer), after: '' }
    }
    if (node.kind !== 'nullable') return undefined
    const inner = this.expression(node.inner, value, pointer)
    if (inner === undefined) return undefined
    return { before: '', value: code`(${value} === null ? ${node.text} : ${quoted(inner)})`, after: '' }
  }

  /** Text of any value as an expression that may be `undefined`. */
  anyText(value: Code, pointer: string): Code {
    return code`${this.unit.writer.use('anyText')}(${value}, ${pointer})`
  }

  protected emitBody(node: Node, scope: FunctionScope, value: Code): void {
    const { writer } = scope
    const text = name('s')
    const out = new Out(writer, text)
    writer.line(code`let ${text} = ''`)
    if (node.kind === 'any') {
      writer.line(code`const any = ${this.anyText(value, '')}`)
      writer.line(code`if (any === undefined) ${this.unit.snippets.refuse('the value has no JSON text', '')}`)
      writer.line(code`return any`)
      return
    }
    this.#emitInline(node, value, { scope, out, pointer: '', isRecord: false })
    out.flush()
    writer.line(code`return ${text}`)
  }

  #emitCall(node: Node, value: Code, { scope, out, pointer }: TextContext): void {
    const call = this.callOf(node, value, scope)
    if (pointer === '') {
      out.value(call)
      return
    }
    out.flush()
    scope.writer.line(code`try {`)
    out.value(call).flush()
    scope.writer.line(code`} ${this.unit.snippets.catchAt(pointer)}`)
  }

  #emitNull(node: Extract<Node, { kind: 'null' }>, value: Code, { scope, out, pointer }: TextContext): void {
    if (node.strict) scope.writer.line(code`void ${scalarValue(this.unit, node, value, pointer)}`)
    out.text('null')
  }

  /** Merges `true` and `false` with the literals around them. */
  #emitBoolean(
    node: Extract<Node, { kind: 'boolean' }>,
    value: Code,
    { scope, out, pointer }: TextContext,
  ): void {
    const truth = this.unit.writer.unique('b')
    scope.writer.line(code`const ${truth} = ${scalarValue(this.unit, node, value, pointer)}`)
    out.pair(truth, 'true', 'false')
  }

  /** Appends fixed text where a test holds, else the text of a value. */
  emitUnless(test: Code, fixed: string, node: Node, value: Code, context: TextContext): void {
    const { out, scope } = context
    const expression = this.expression(node, value, context.pointer)
    if (expression !== undefined) return appendEither(out, test, fixed, expression)
    const start = out.hold()
    scope.writer.block(code`if (${test})`, () => out.literal(start).text(fixed).flush())
    scope.writer.block(code`else`, () => {
      out.literal(start)
      this.emit(node, value, { ...context, isRecord: false })
      out.flush()
    })
  }

  #emitBranches(node: BranchNode, value: Code, context: TextContext): void {
    const { unit } = this
    const { scope, out, pointer } = context
    const start = out.hold()
    const body = (inner: Node, unwrapped: Code, isRecord: boolean): void => {
      out.literal(start)
      this.emit(inner, unwrapped, { ...context, isRecord })
      out.flush()
    }
    emitBranches({ unit, scope, pointer, isRecord: context.isRecord, body }, node, value)
  }
}
