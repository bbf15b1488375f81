/**
 * Text of objects: required properties in one expression, optional ones after a test each. Text of arrays: a list of plain
 * scalars is written natively after a test of its items, any other in a loop.
 */
import { code, type Code } from '../../../codegen/code.ts'
import type { ArrayNode, Node, ObjectNode, PropertyNode } from '../../ir.ts'
import { eachItem, eachOther, nativeItems, readObject, step } from '../containers.ts'
import { appendEither, extend, type Literal, type TextContext, type TextEmitter } from './out.ts'

/** Appends the text of an object. */
export function emitObjectText(
  emitter: TextEmitter,
  node: ObjectNode,
  value: Code,
  context: TextContext,
): void {
  const object = readObject(emitter.unit, node, value, context)
  new ObjectText(emitter, context).emit(node, object)
}

/** The text of one object, and what is written before its next key. */
class ObjectText {
  readonly #emitter: TextEmitter
  readonly #context: TextContext
  /** A property has been written for certain. */
  #isStarted: boolean = false
  /** Variable that is true when a property has been written. */
  #flag: Code | undefined = undefined
  /** The text before the opening brace, which is written together with it. */
  #start: Literal = ''

  constructor(emitter: TextEmitter, context: TextContext) {
    this.#emitter = emitter
    this.#context = context
  }

  emit(node: ObjectNode, object: Code): void {
    const { out } = this.#context
    for (const property of node.properties) this.#emitProperty(property, object)
    if (node.patterns.length > 0 || node.additional !== undefined) this.#emitOthers(node, object)
    if (this.#isStarted) out.text('}')
    else if (this.#flag === undefined) out.text('{}')
    else out.pair(this.#flag, '}', extend(this.#start, '{}'))
  }

  #emitProperty({ name, node, isRequired, defaultText }: PropertyNode, object: Code): void {
    const { unit } = this.#emitter
    const { scope, out, pointer: outer } = this.#context
    const { writer } = scope
    const pointer = outer + step(name)
    const value = unit.writer.unique('v')
    const read = unit.snippets.read(object, name)
    writer.line(code`const ${value} = ${node.kind === 'any' ? this.#emitter.anyText(read, pointer) : read}`)
    const context: TextContext = { scope, out, pointer, isRecord: false }
    const isAbsent = code`${value} === undefined`
    const key = `${JSON.stringify(name)}:`
    if (!isRequired && defaultText === undefined) {
      this.#needFlag()
      out.flush()
      writer.block(code`if (${value} !== undefined)`, () => {
        this.#open(key)
        this.#emitValue(node, value, context)
        this.#end()
      })
      return
    }
    if (defaultText === undefined) writer.line(code`if (${isAbsent}) ${unit.snippets.missing(pointer)}`)
    this.#open(key)
    this.#isStarted = true
    if (defaultText === undefined) this.#emitValue(node, value, context)
    else if (node.kind === 'any') appendEither(out, isAbsent, defaultText, { before: '', value, after: '' })
    else this.#emitter.emitUnless(isAbsent, defaultText, node, value, context)
  }

  /** Appends the value of a property; the text of an untyped one is in a variable already. */
  #emitValue(node: Node, value: Code, context: TextContext): void {
    if (node.kind === 'any') context.out.value(value)
    else if (node.kind === 'string') this.#emitter.emitString(node, value, context)
    else this.#emitter.emit(node, value, context)
  }

  /** Patterned and additional properties. */
  #emitOthers(node: ObjectNode, object: Code): void {
    const { unit } = this.#emitter
    const { out, scope } = this.#context
    this.#needFlag()
    out.flush()
    eachOther(unit, node, object, this.#context, (other, key, given) => {
      const text = unit.writer.unique('t')
      if (other.kind === 'any') {
        scope.writer.line(code`const ${text} = ${this.#emitter.anyText(given, '')}`)
        scope.writer.line(code`if (${text} === undefined) continue`)
      }
      this.#open('"')
      out.value(code`${unit.writer.use('escapeText')}(${key})`).text('":')
      const value = other.kind === 'any' ? text : given
      this.#emitValue(other, value, { ...this.#context, pointer: '', isRecord: false })
      this.#end()
    })
  }

  /** Declares the flag before the first optional property. */
  #needFlag(): void {
    const { out, scope } = this.#context
    if (this.#isStarted || this.#flag !== undefined) return
    this.#start = out.hold()
    this.#flag = this.#emitter.unit.writer.unique('n')
    scope.writer.line(code`let ${this.#flag} = false`)
  }

  /** Ends a property that may not be there. */
  #end(): void {
    const { out, scope } = this.#context
    out.flush()
    if (!this.#isStarted && this.#flag !== undefined) scope.writer.line(code`${this.#flag} = true`)
  }

  /** Appends the beginning of a key, with the comma or brace before it. */
  #open(text: string): void {
    const { out } = this.#context
    if (this.#isStarted) out.text(`,${text}`)
    else if (this.#flag === undefined) out.text(`{${text}`)
    else out.pair(this.#flag, `,${text}`, extend(this.#start, `{${text}`))
  }
}

/** Appends the text of an array. */
export function emitArrayText(
  emitter: TextEmitter,
  node: ArrayNode,
  value: Code,
  context: TextContext,
): void {
  const { unit } = emitter
  const { writer } = context.scope
  const items = unit.writer.unique('a')
  writer.line(code`const ${items} = ${unit.snippets.array(node, value, context.pointer)}`)
  const native = nativeItems(unit.writer, node, items)
  if (native === undefined) return emitItems(emitter, node, items, context)
  context.out.flush()
  writer.block(code`if (${native})`, () => {
    context.out.value(code`${unit.writer.use('nativeText')}(${items}, ${context.pointer})`).flush()
  })
  writer.block(code`else`, () => {
    emitItems(emitter, node, items, context)
    context.out.flush()
  })
}

function emitItems(emitter: TextEmitter, node: ArrayNode, items: Code, context: TextContext): void {
  const { out } = context
  out.text('[').flush()
  eachItem(emitter.unit, node, items, context, (inner, item, index, pointer) => {
    if (typeof index !== 'number') out.pair(code`${index} === 0`, '', ',')
    else if (index > 0) out.text(',')
    emitter.emit(inner, item, { ...context, pointer, isRecord: false })
    out.flush()
  })
  out.text(']')
}
