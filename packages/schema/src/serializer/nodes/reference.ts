/** Nodes for references. */
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

/** The node of a schema that occurs more than once. */
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

/** The definitions that the serializers of one mode share, by schema. */
export type SharedDefinitions = WeakMap<object, Definition>

/** The node of a shared schema without references, which is read and compiled once for all schemas that refer to it. */
export class SharedNode extends RefNode {
  override get weight(): number {
    return 1
  }

  override writer<Result>(closures: Closures<Result>): Writer<Result> {
    return closures.definitions.shared(this.target, closures)
  }

  override expression(value: Code, context: CodeContext): TextExpression {
    return { before: '', value: this.copyInline(value, context), after: '' }
  }

  override appendInline(value: Code, context: TextContext): void {
    context.out.value(this.copyInline(value, context))
  }

  override copyInline(value: Code, { unit, pointer }: CodeContext): Code {
    return unit.sharedCall(this.target, value, pointer)
  }
}
