/** Intermediate representation to code that builds a clean copy of the value, for one native `JSON.stringify`. */
import { code, jsonLiteral, name, type Code } from '../../../codegen/code.ts'
import type { Node, NullableNode } from '../../ir.ts'
import { emitBranches, isBranching, type BranchNode } from '../branching.ts'
import { projectArray, projectObject } from './containers.ts'
import type { ProjectionEmitter, ProjectionContext } from './context.ts'
import { isScalar, scalarValue, stringValue } from '../scalars.ts'
import type { FunctionScope, UnitBuilder } from '../unit.ts'

/** Writes the projection of nodes. */
export class ProjectEmitter implements ProjectionEmitter {
  readonly unit: UnitBuilder
  readonly preallocates: boolean

  /** @param preallocates - creates lists with their final length, which is faster on V8 12 and later */
  constructor(unit: UnitBuilder, preallocates: boolean) {
    this.unit = unit
    this.preallocates = preallocates
  }

  /** Writes the unit: `return` of a function from payload to text. */
  emitRoot(root: Node): void {
    const { unit } = this
    const main = unit.writer.nested()
    const payload = name('payload')
    const stringify = unit.writer.use('nativeText')
    main.block(code`return function serialize(${payload})`, () => {
      const context: ProjectionContext = {
        scope: unit.functionScope(main, code`0`),
        pointer: '',
        isRecord: false,
      }
      main.line(code`const text = ${stringify}(${this.#rootValue(root, payload, context)}, '')`)
      main.line(code`if (text === undefined) ${unit.snippets.refuse('the value has no JSON text', '')}`)
      main.line(code`return text`)
    })
    unit.writer.line(main.toCode())
  }

  /**
   * Writes the unit of a shared definition: `return` of a function from value and pointer to the clean copy.
   */
  emitShared(root: Node): void {
    this.unit.emitShared((scope, value) => this.#emitBody(root, scope, value))
  }

  /** Returns an expression for the projected value, after writing the statements that it needs. */
  project(node: Node, value: Code, context: ProjectionContext): Code {
    return this.unit.isOutlined(node, context.scope)
      ? this.#call(node, value, context)
      : this.#projectInline(node, value, context)
  }

  #projectInline(node: Node, value: Code, context: ProjectionContext): Code {
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
        return projectObject(this, node, value, context)
      case 'array':
        return projectArray(this, node, value, context)
      case 'shared':
        return unit.sharedCall(node.definition, value, context.pointer)
      case 'ref':
        return this.project(node.target.node, value, context)
      case 'nullable':
        return this.#nullable(node, value, context)
      case 'enum':
        this.#check('isOneOf', value, node.values, 'one of the values of the enum', context)
        return this.project(node.inner, value, context)
      case 'const':
        if (node.strict) this.#check('isConstant', value, node.value, 'the constant of the schema', context)
        return this.literal(node.value)
      case 'never':
        context.scope.writer.line(unit.snippets.refuse(node.reason, context.pointer))
        return code`null`
    }
  }

  /** The projected value, or `fallback` when the test holds. */
  projectUnless(test: Code, fallback: Code, node: Node, value: Code, context: ProjectionContext): Code {
    const nested = context.scope.writer.nested()
    const inner: ProjectionContext = { ...context, scope: { ...context.scope, writer: nested } }
    const projected = this.project(node, value, inner)
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
  anyValue(value: Code): Code {
    return code`${this.unit.writer.use('anyValue')}(${value})`
  }

  /** A JSON value of the schema. */
  literal(value: unknown): Code {
    return typeof value === 'object' && value !== null
      ? this.unit.writer.bind({ kind: 'literal', value }, 'literal')
      : jsonLiteral(value)
  }

  #nullable({ inner, text }: NullableNode, value: Code, context: ProjectionContext): Code {
    const fallback = text === 'null' ? code`null` : code`{}`
    return this.projectUnless(code`${value} === null`, fallback, inner, value, context)
  }

  #rootValue(root: Node, payload: Code, context: ProjectionContext): Code {
    return root.kind === 'any' ? payload : this.project(root, payload, context)
  }

  #call(node: Node, value: Code, { scope, pointer }: ProjectionContext): Code {
    const callee = this.unit.functionOf(node, (body, inner, input) => this.#emitBody(body, inner, input))
    const call = code`${callee}(${value}, ${scope.depth} + 1)`
    if (pointer === '') return call
    const result = this.unit.writer.unique('r')
    scope.writer.line(code`let ${result}`)
    scope.writer.line(code`try { ${result} = ${call} } ${this.unit.snippets.catchAt(pointer)}`)
    return result
  }

  #emitBody(node: Node, scope: FunctionScope, value: Code): void {
    const projected = this.#projectInline(node, value, { scope, pointer: '', isRecord: false })
    scope.writer.line(code`return ${projected}`)
  }

  #branches(node: BranchNode, value: Code, context: ProjectionContext): Code {
    const { unit } = this
    const result = unit.writer.unique('r')
    context.scope.writer.line(code`let ${result}`)
    const body = (inner: Node, unwrapped: Code, isRecord: boolean): void => {
      const projected = this.project(inner, unwrapped, { ...context, isRecord })
      context.scope.writer.line(code`${result} = ${projected}`)
    }
    emitBranches({ ...context, unit, body }, node, value)
    return result
  }

  #check(
    test: 'isConstant' | 'isOneOf',
    value: Code,
    expected: unknown,
    words: string,
    context: ProjectionContext,
  ): void {
    const { writer, snippets } = this.unit
    const isRight = code`${writer.use(test)}(${value}, ${writer.bind({ kind: 'literal', value: expected }, 'literal')})`
    context.scope.writer.line(
      code`if (!${isRight}) ${snippets.refuse(`the value is not ${words}`, context.pointer)}`,
    )
  }
}
