/** What is reached by reference. */
import type { Code } from '../../codegen/code.ts'
import type { TextContext, TextExpression } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import type { Closures, Writer } from './closures.ts'
import { Node } from './node.ts'

/** The target of a reference; its node is set after its schema has been read. */
export interface Definition {
  node: Node
  isRecursive: boolean
}

/** The node of a schema that is met more than once. */
export class RefNode extends Node {
  readonly target: Definition

  constructor(target: Definition) {
    super()
    this.target = target
  }

  override get weight(): number {
    return this.target.isRecursive ? 2 : this.target.node.weight
  }

  override get written(): Node {
    return this.target.node.written
  }

  writer<Result>(closures: Closures<Result>): Writer<Result> {
    return closures.definitions.reference(this.target, closures)
  }

  override appendInline(value: Code, context: TextContext): void {
    this.target.node.append(value, context)
  }

  copyInline(value: Code, context: CodeContext): Code {
    return this.target.node.copy(value, context)
  }
}

/** A shared schema without references, which is read and compiled once for all schemas that refer to it. */
export interface SharedDefinition {
  readonly node: Node
}

/** The shared definitions of the serializers of one mode, by schema. */
export type SharedDefinitions = WeakMap<object, SharedDefinition>

/** The node of a shared schema. */
export class SharedNode extends Node {
  readonly definition: SharedDefinition

  constructor(definition: SharedDefinition) {
    super()
    this.definition = definition
  }

  override get written(): Node {
    return this.definition.node.written
  }

  writer<Result>(closures: Closures<Result>): Writer<Result> {
    return closures.definitions.shared(this.definition, closures)
  }

  override expression(value: Code, context: CodeContext): TextExpression {
    return { before: '', value: this.copyInline(value, context), after: '' }
  }

  copyInline(value: Code, { unit, pointer }: CodeContext): Code {
    return unit.sharedCall(this.definition, value, pointer)
  }
}
