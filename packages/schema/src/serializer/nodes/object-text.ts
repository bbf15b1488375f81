import { code, type Code } from '../../codegen/code.ts'
import { around, type Literal, type TextContext } from '../emit/out.ts'
import { ANY } from './any.ts'
import type { Node } from './node.ts'
import type { ObjectNode, PropertyNode } from './object.ts'
import { step } from './reads.ts'

/**
 * The code of the text of one object, and what is written before its next key: required properties are in one expression,
 * optional ones after a test each.
 */
export class ObjectText {
  readonly #context: TextContext
  /** A property has been written for certain. */
  #isStarted: boolean = false
  /** Variable that is true when a property has been written. */
  #flag: Code | undefined = undefined
  /** The text before the opening brace, which is written together with it. */
  #start: Literal = ''

  constructor(context: TextContext) {
    this.#context = context
  }

  emit(node: ObjectNode, object: Code): void {
    const { out } = this.#context
    for (const property of node.parts.properties) this.#emitProperty(property, object)
    if (node.isOpen) this.#emitOthers(node, object)
    if (this.#isStarted) out.text('}')
    else if (this.#flag === undefined) out.text('{}')
    else out.pair(this.#flag, '}', around('', this.#start, '{}'))
  }

  #emitProperty({ name, node, isRequired, defaultText }: PropertyNode, object: Code): void {
    const { unit, scope, out, pointer: outer } = this.#context
    const { writer } = scope
    const pointer = outer + step(name)
    const context: TextContext = { ...this.#context, pointer, isRecord: false }
    const value = unit.writer.unique('v')
    const read = unit.read(object, name)
    writer.line(code`const ${value} = ${node === ANY ? unit.anyText(read, pointer) : read}`)
    const isAbsent = code`${value} === undefined`
    const key = `${JSON.stringify(name)}:`
    if (!isRequired && defaultText === undefined) {
      this.#needFlag()
      out.flush()
      writer.block(code`if (${value} !== undefined)`, () => {
        this.#open(key)
        appendValue(node, value, context)
        this.#end()
      })
      return
    }
    if (defaultText === undefined) writer.line(code`if (${isAbsent}) ${unit.missing(pointer)}`)
    this.#open(key)
    this.#isStarted = true
    if (defaultText === undefined) appendValue(node, value, context)
    else if (node === ANY) out.either(isAbsent, defaultText, { before: '', value, after: '' })
    else node.appendUnless(isAbsent, defaultText, value, context)
  }

  /** Patterned and additional properties. */
  #emitOthers(node: ObjectNode, object: Code): void {
    const { unit, out, scope } = this.#context
    this.#needFlag()
    out.flush()
    node.eachOther(object, this.#context, (other, key, given) => {
      const text = unit.writer.unique('t')
      if (other === ANY) {
        scope.writer.line(code`const ${text} = ${unit.anyText(given, '')}`)
        scope.writer.line(code`if (${text} === undefined) continue`)
      }
      this.#open('"')
      out.value(code`${unit.writer.use('escapeText')}(${key})`).text('":')
      appendValue(other, other === ANY ? text : given, { ...this.#context, pointer: '', isRecord: false })
      this.#end()
    })
  }

  /** Declares the flag before the first optional property. */
  #needFlag(): void {
    const { unit, out, scope } = this.#context
    if (this.#isStarted || this.#flag !== undefined) return
    this.#start = out.hold()
    this.#flag = unit.writer.unique('n')
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
    else out.pair(this.#flag, `,${text}`, around('', this.#start, `{${text}`))
  }
}

/** Appends the value of a property; the text of an untyped one is in a variable already. */
function appendValue(node: Node, value: Code, context: TextContext): void {
  if (node === ANY) context.out.value(value)
  else node.append(value, context)
}
