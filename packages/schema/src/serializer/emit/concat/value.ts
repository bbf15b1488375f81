/** Intermediate representation to code that builds the text of the value piece by piece. */
import { code, name, type Code } from '../../../codegen/code.ts'
import { emitBranches, isBranching } from '../branching.ts'
import { emitArrayText } from './array.ts'
import { emitObjectText } from './object.ts'
import type { Node, NullableNode } from '../../ir.ts'
import { Out } from './out.ts'
import { isScalar, numberTextValue, scalarValue, stringText, type StringNode } from '../scalars.ts'
import { appendEither, quoted, type TextEmitter, type TextExpression, type TextSite } from './context.ts'
import type { Frame, Unit } from '../unit.ts'

/** Writes the text of nodes. */
export class ConcatEmitter implements TextEmitter {
  readonly unit: Unit

  constructor(unit: Unit) {
    this.unit = unit
  }

  /** Writes the unit: `return` of a function from payload to text. */
  emitRoot(root: Node): void {
    const { unit } = this
    const main = unit.writer.nested()
    const payload = name('payload')
    main.block(code`return function serialize(${payload})`, () => {
      this.#emitBody(root, unit.frame(main, code`0`), payload)
    })
    unit.writer.line(main.toCode())
  }

  /** Writes the unit of a shared definition: `return` of a function from value and place to text. */
  emitShared(root: Node): void {
    this.unit.emitShared((frame, value) => this.#emitBody(root, frame, value))
  }

  /** Appends the text of a value. */
  emit(node: Node, value: Code, site: TextSite): void {
    if (this.unit.isOutlined(node, site.frame)) return this.#emitCall(node, value, site)
    this.#emitInline(node, value, site)
  }

  /** Appends the text of a string field, which most fields are. */
  emitString(node: StringNode, value: Code, { frame, out, pointer }: TextSite): void {
    frame.budget.left -= 1
    out
      .text('"')
      .value(stringText(this.unit, node, value, pointer))
      .text('"')
  }

  #emitInline(node: Node, value: Code, site: TextSite): void {
    if (node.kind === 'boolean') return this.#emitBoolean(node, value, site)
    if (node.kind === 'null') return this.#emitNull(node, value, site)
    if (node.kind === 'nullable') return this.#emitNullable(node, value, site)
    const whole = this.expression(node, value, site.pointer)
    if (whole !== undefined) {
      site.out.text(whole.before).value(whole.value).text(whole.after)
      return
    }
    if (isBranching(node)) return this.#emitBranches(node, value, site)
    switch (node.kind) {
      case 'object':
        return emitObjectText(this, node, value, site)
      case 'array':
        return emitArrayText(this, node, value, site)
      case 'ref':
        return this.emit(node.target.node, value, site)
      case 'enum':
        this.#check('isOneOf', value, node.values, 'one of the values of the enum', site)
        return this.emit(node.inner, value, site)
      case 'const':
        return this.#emitConstant(node, value, site)
      case 'never':
        return this.#emitRefusal(node.reason, site)
      case 'any':
      case 'string':
      case 'number':
      case 'integer':
      case 'shared':
        // Written as an expression above.
        break
    }
  }

  /** The text of a value as one expression between two literals, when it needs no statements. */
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

  #emitBody(node: Node, frame: Frame, value: Code): void {
    const { writer } = frame
    const text = name('s')
    const out = new Out(writer, text)
    writer.line(code`let ${text} = ''`)
    if (node.kind === 'any') {
      writer.line(code`const any = ${this.anyText(value, '')}`)
      writer.line(code`if (any === undefined) ${this.unit.pieces.refuse('the value has no JSON text', '')}`)
      writer.line(code`return any`)
      return
    }
    this.#emitInline(node, value, { frame, out, pointer: '', isRecord: false })
    out.flush()
    writer.line(code`return ${text}`)
  }

  #emitCall(node: Node, value: Code, { frame, out, pointer }: TextSite): void {
    const callee = this.unit.functionOf(node, (body, inner, input) => this.#emitBody(body, inner, input))
    const call = code`${callee}(${value}, ${frame.depth} + 1)`
    if (pointer === '') {
      out.value(call)
      return
    }
    out.flush()
    frame.writer.line(code`try {`)
    out.value(call).flush()
    frame.writer.line(code`} ${this.unit.pieces.catchAt(pointer)}`)
  }

  #emitConstant(node: Extract<Node, { kind: 'const' }>, value: Code, site: TextSite): void {
    if (node.strict) this.#check('isConstant', value, node.value, 'the constant of the schema', site)
    site.out.text(JSON.stringify(node.value))
  }

  #emitRefusal(reason: string, { frame, pointer }: TextSite): void {
    frame.writer.line(this.unit.pieces.refuse(reason, pointer))
  }

  #emitNull(node: Extract<Node, { kind: 'null' }>, value: Code, { frame, out, pointer }: TextSite): void {
    if (node.strict) frame.writer.line(code`void ${scalarValue(this.unit, node, value, pointer)}`)
    out.text('null')
  }

  /** The two words are merged with the literals around them. */
  #emitBoolean(
    node: Extract<Node, { kind: 'boolean' }>,
    value: Code,
    { frame, out, pointer }: TextSite,
  ): void {
    const truth = this.unit.writer.unique('b')
    frame.writer.line(code`const ${truth} = ${scalarValue(this.unit, node, value, pointer)}`)
    out.pair(truth, 'true', 'false')
  }

  #emitNullable({ inner, text }: NullableNode, value: Code, site: TextSite): void {
    const { writer } = site.frame
    const expression = this.expression(inner, value, site.pointer)
    if (expression !== undefined) {
      appendEither(site.out, code`${value} === null`, text, expression)
      return
    }
    const start = site.out.hold()
    writer.block(code`if (${value} === null)`, () => {
      site.out.literal(start).text(text).flush()
    })
    writer.block(code`else`, () => {
      site.out.literal(start)
      this.emit(inner, value, { ...site, isRecord: false })
      site.out.flush()
    })
  }

  #emitBranches(node: Parameters<typeof emitBranches>[1], value: Code, site: TextSite): void {
    const { unit } = this
    const { frame, out, pointer } = site
    const start = out.hold()
    const body = (inner: Node, unwrapped: Code, isRecord: boolean): void => {
      out.literal(start)
      this.emit(inner, unwrapped, { ...site, isRecord })
      out.flush()
    }
    emitBranches({ unit, frame, pointer, isRecord: site.isRecord, body }, node, value)
  }

  #check(
    test: 'isConstant' | 'isOneOf',
    value: Code,
    expected: unknown,
    words: string,
    site: TextSite,
  ): void {
    const { writer, pieces } = this.unit
    const literal = writer.bind({ kind: 'literal', value: expected }, 'literal')
    site.frame.writer.line(
      code`if (!${writer.use(test)}(${value}, ${literal})) ${pieces.refuse(`the value is not ${words}`, site.pointer)}`,
    )
  }
}
