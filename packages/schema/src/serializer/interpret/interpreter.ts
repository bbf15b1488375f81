/** Intermediate representation to closures. What they make of a value is its text, or a clean copy of it. */
import { refuse } from '../../runtime/describe.ts'
import { isConstant, isOneOf } from '../../runtime/literals.ts'
import type { ArrayNode, Node, ObjectNode, ScalarNode } from '../ir.ts'
import { branchWriter } from './branch.ts'
import { DefinitionTable, type SharedWriters } from './definitions.ts'
import { refusal, type ReadOptions, type Writer, type WriterContext } from './writer.ts'

/** Makes the closures of one serializer. */
export abstract class Interpreter<Result> implements WriterContext<Result> {
  readonly options: ReadOptions
  readonly #definitions: DefinitionTable<Result>

  /** @param shared - the writers of shared definitions that other serializers have made */
  constructor(options: ReadOptions, shared: SharedWriters<Result>) {
    this.options = options
    this.#definitions = new DefinitionTable(shared)
  }

  /** What is made of any value within another one. */
  protected abstract any(value: unknown): Result
  /** What is made of a JSON value of the schema. */
  protected abstract constant(value: unknown): Result
  protected abstract object(node: ObjectNode, isRecord: boolean): Writer<Result>
  protected abstract array(node: ArrayNode): Writer<Result>
  protected abstract scalar(node: ScalarNode): Writer<Result>

  /** The writer of the whole value. */
  protected whole(node: Node, write: Writer<Result> = this.writer(node, false)): Writer<Result> {
    return this.#definitions.finish(node, write)
  }

  writer(node: Node, isRecord: boolean): Writer<Result> {
    switch (node.kind) {
      case 'any':
        return this.any
      case 'never':
        return refusal(node.reason)
      case 'object':
        return this.object(node, isRecord)
      case 'array':
        return this.array(node)
      case 'nullable': {
        const [inner, text] = [
          this.writer(node.inner, isRecord),
          this.constant(node.text === 'null' ? null : {}),
        ]
        return (value) => (value === null ? text : inner(value))
      }
      case 'enum': {
        const [inner, { values }] = [this.writer(node.inner, isRecord), node]
        return (value) =>
          isOneOf(value, values) ? inner(value) : refuse('the value is not one of the values of the enum', '')
      }
      case 'const': {
        const { strict, value: literal } = node
        const made = this.constant(literal)
        return (value) =>
          !strict || isConstant(value, literal)
            ? made
            : refuse('the value is not the constant of the schema', '')
      }
      case 'ref':
        return this.#definitions.reference(node.target, (inner) => this.writer(inner, false))
      case 'shared':
        return this.#definitions.shared(node.definition, (inner) => this.writer(inner, false))
      case 'choose':
      case 'switch':
      case 'match':
      case 'condition':
        return branchWriter(this, node, isRecord)
      default:
        return this.scalar(node)
    }
  }
}
