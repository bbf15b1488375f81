/** Intermediate representation to code that builds a clean copy of the value, for one native `JSON.stringify`. */
import { code, join, jsonLiteral, literalKey, name, type Code } from '../../codegen/code.ts'
import type { ArrayNode, BranchNode, Node, NullableNode, ObjectNode, PropertyNode } from '../ir.ts'
import { isBranching, isScalar } from '../nodes.ts'
import { emitBranches } from './branching.ts'
import { eachItem, eachOther, nativeItems, readObject, step, type ValueContext } from './containers.ts'
import { scalarValue, stringValue } from './scalars.ts'
import { Emitter, type FunctionScope, type UnitBuilder } from './unit.ts'

/** Writes the projection of nodes. */
export class ProjectEmitter extends Emitter {
  readonly #preallocates: boolean

  /** @param preallocates - creates lists with their final length, which is faster on V8 12 and later */
  constructor(unit: UnitBuilder, preallocates: boolean) {
    super(unit)
    this.#preallocates = preallocates
  }

  emitRoot(root: Node): void {
    const { unit } = this
    const main = unit.writer.nested()
    const payload = name('payload')
    const stringify = unit.writer.use('nativeText')
    main.block(code`return function serialize(${payload})`, () => {
      const context: ValueContext = {
        scope: unit.functionScope(main, code`0`),
        pointer: '',
        isRecord: false,
      }
      main.line(
        code`const text = ${stringify}(${root.kind === 'any' ? payload : this.#project(root, payload, context)}, '')`,
      )
      main.line(code`if (text === undefined) ${unit.snippets.refuse('the value has no JSON text', '')}`)
      main.line(code`return text`)
    })
    unit.writer.line(main.toCode())
  }

  /** Returns an expression for the projected value, after writing the statements that it needs. */
  #project(node: Node, value: Code, context: ValueContext): Code {
    return this.unit.isOutlined(node, context.scope)
      ? this.#call(node, value, context)
      : this.#projectInline(node, value, context)
  }

  #projectInline(node: Node, value: Code, context: ValueContext): Code {
    const { unit } = this
    if (node.kind === 'string') return stringValue(unit, node, value, context.pointer)
    if (isScalar(node)) {
      const finish = unit.writer.use('projectable')
      return scalarValue(unit, node, value, context.pointer, (converted) => code`${finish}(${converted})`)
    }
    if (isBranching(node)) return this.#branches(node, value, context)
    switch (node.kind) {
      case 'any':
        return code`${unit.writer.use('anyValueOrNull')}(${value})`
      case 'object':
        return this.#object(node, value, context)
      case 'array':
        return this.#array(node, value, context)
      case 'shared':
        return unit.sharedCall(node.definition, value, context.pointer)
      case 'ref':
        return this.#project(node.target.node, value, context)
      case 'nullable':
        return this.#nullable(node, value, context)
      case 'enum':
        context.scope.writer.line(unit.snippets.refuseOthers(node, value, context.pointer))
        return this.#project(node.inner, value, context)
      case 'const':
        if (node.strict) context.scope.writer.line(unit.snippets.refuseOthers(node, value, context.pointer))
        return this.#literal(node.value)
      case 'never':
        context.scope.writer.line(unit.snippets.refuse(node.reason, context.pointer))
        return code`null`
    }
  }

  /** The projected value, or `fallback` when the test holds. */
  #unless(test: Code, fallback: Code, node: Node, value: Code, context: ValueContext): Code {
    const nested = context.scope.writer.nested()
    const inner: ValueContext = { ...context, scope: { ...context.scope, writer: nested } }
    const projected = this.#project(node, value, inner)
    const statements = nested.toCode()
    if (statements.toString() === '') return code`(${test} ? ${fallback} : ${projected})`
    const { writer } = context.scope
    const result = this.unit.writer.unique('r')
    writer.line(code`let ${result} = ${fallback}`)
    writer.block(code`if (!(${test}))`, () => {
      writer.line(statements)
      writer.line(code`${result} = ${projected}`)
    })
    return result
  }

  /** An untyped value, `undefined` when it has no JSON text. */
  #anyValue(value: Code): Code {
    return code`${this.unit.writer.use('anyValue')}(${value})`
  }

  /** A JSON value of the schema. */
  #literal(value: unknown): Code {
    return typeof value === 'object' && value !== null
      ? this.unit.writer.bind({ kind: 'literal', value }, 'literal')
      : jsonLiteral(value)
  }

  #nullable({ inner, text }: NullableNode, value: Code, context: ValueContext): Code {
    const fallback = text === 'null' ? code`null` : code`{}`
    return this.#unless(code`${value} === null`, fallback, inner, value, context)
  }

  #call(node: Node, value: Code, { scope, pointer }: ValueContext): Code {
    const call = this.callOf(node, value, scope)
    if (pointer === '') return call
    const result = this.unit.writer.unique('r')
    scope.writer.line(code`let ${result}`)
    scope.writer.line(code`try { ${result} = ${call} } ${this.unit.snippets.catchAt(pointer)}`)
    return result
  }

  protected emitBody(node: Node, scope: FunctionScope, value: Code): void {
    const projected = this.#projectInline(node, value, { scope, pointer: '', isRecord: false })
    scope.writer.line(code`return ${projected}`)
  }

  #branches(node: BranchNode, value: Code, context: ValueContext): Code {
    const { unit } = this
    const result = unit.writer.unique('r')
    context.scope.writer.line(code`let ${result}`)
    const body = (inner: Node, unwrapped: Code, isRecord: boolean): void => {
      const projected = this.#project(inner, unwrapped, { ...context, isRecord })
      context.scope.writer.line(code`${result} = ${projected}`)
    }
    emitBranches({ ...context, unit, body }, node, value)
    return result
  }

  /**
   * Projects an object to one object literal with all declared properties; `JSON.stringify` skips those that are
   * `undefined`.
   */
  #object(node: ObjectNode, value: Code, context: ValueContext): Code {
    const { unit } = this
    const { writer } = context.scope
    const object = readObject(unit, node, value, context)
    const entries = node.properties.map(
      (property) => code`${literalKey(property.name)}: ${this.#property(property, object, context)}`,
    )
    const literal = code`{ ${join(entries, code`, `)} }`
    if (node.patterns.length === 0 && node.additional === undefined) return literal
    const result = unit.writer.unique('r')
    writer.line(code`const ${result} = ${literal}`)
    const inner: ValueContext = { ...context, pointer: '', isRecord: false }
    eachOther(unit, node, object, context, (other, key, entry) => {
      const projected = other.kind === 'any' ? this.#anyValue(entry) : this.#project(other, entry, inner)
      writer.line(code`${unit.writer.use('putProperty')}(${result}, ${key}, ${projected})`)
    })
    return result
  }

  #property(property: PropertyNode, object: Code, context: ValueContext): Code {
    const { unit } = this
    const { writer } = context.scope
    const pointer = context.pointer + step(property.name)
    const inner: ValueContext = { ...context, pointer, isRecord: false }
    const value = unit.writer.unique('v')
    const read = unit.snippets.read(object, property.name)
    const isAny = property.node.kind === 'any'
    writer.line(code`const ${value} = ${isAny ? this.#anyValue(read) : read}`)
    const isAbsent = code`${value} === undefined`
    if (property.defaultText !== undefined) {
      const fallback = this.#literal(JSON.parse(property.defaultText))
      if (isAny) return code`(${isAbsent} ? ${fallback} : ${value})`
      return this.#unless(isAbsent, fallback, property.node, value, inner)
    }
    if (property.isRequired) {
      writer.line(code`if (${isAbsent}) ${unit.snippets.missing(pointer)}`)
      return isAny ? value : this.#project(property.node, value, inner)
    }
    return isAny ? value : this.#unless(isAbsent, code`undefined`, property.node, value, inner)
  }

  /** Projects an array: a list of plain scalars is used as it is, any other is copied item by item. */
  #array(node: ArrayNode, value: Code, context: ValueContext): Code {
    const { unit } = this
    const { writer } = context.scope
    const items = unit.writer.unique('a')
    const result = unit.writer.unique('r')
    writer.line(code`const ${items} = ${unit.snippets.array(node, value, context.pointer)}`)
    writer.line(code`let ${result} = ${items}`)
    const native = nativeItems(unit.writer, node, items)
    const isPreallocated = this.#preallocates && node.prefix.length === 0 && node.rest !== undefined
    const copy = (): void => {
      writer.line(code`${result} = ${isPreallocated ? code`new Array(${items}.length)` : code`[]`}`)
      eachItem(unit, node, items, context, (inner, item, index, pointer) => {
        const projected = this.#project(inner, item, { ...context, pointer, isRecord: false })
        writer.line(
          isPreallocated ? code`${result}[${index}] = ${projected}` : code`${result}.push(${projected})`,
        )
      })
    }
    if (native === undefined) copy()
    else writer.block(code`if (!(${native}))`, copy)
    return result
  }
}
