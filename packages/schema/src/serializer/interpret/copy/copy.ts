/** Intermediate representation to closures that build a clean copy of the value, for one native `JSON.stringify`. */
import { refuse } from '../../../runtime/describe.ts'
import { prefixPointer } from '../../../runtime/errors.ts'
import { isConstant } from '../../../runtime/literals.ts'
import { anyValueOrNull } from '../../../runtime/projection.ts'
import { nativeText } from '../../../runtime/text.ts'
import type { ArrayNode, Node } from '../../ir.ts'
import { branchWriter } from '../branch.ts'
import { DefinitionTable, type SharedWriters } from '../definitions.ts'
import { arraySource, nativeTest } from '../read.ts'
import { itemWriters, oneOf, refusal, type ReadOptions, type Writer, type WriterContext } from '../writer.ts'
import { objectCopy } from './object.ts'
import { ScalarCopies } from './scalar.ts'

/** Makes the closures of one serializer. */
export class CopyInterpreter implements WriterContext<unknown> {
  readonly options: ReadOptions = { ownReads: false }
  readonly #scalars: ScalarCopies = new ScalarCopies()
  readonly #definitions: DefinitionTable<unknown>

  /** @param shared the writers of shared definitions that other serializers have made */
  constructor(shared: SharedWriters<unknown>) {
    this.#definitions = new DefinitionTable(shared)
  }

  /** The writer of the whole value, as text. */
  root(node: Node): Writer<string> {
    const copy: Writer<unknown> = node.kind === 'any' ? (value) => value : this.writer(node, false)
    return textOf(this.#definitions.finish(node, copy))
  }

  writer(node: Node, isRecord: boolean): Writer<unknown> {
    switch (node.kind) {
      case 'any':
        return anyValueOrNull
      case 'never':
        return refusal(node.reason)
      case 'object':
        return objectCopy(this, node, isRecord)
      case 'array':
        return arrayCopy(this, node)
      case 'nullable':
        return nullableCopy(this.writer(node.inner, isRecord), node.text === 'null')
      case 'enum':
        return oneOf(this.writer(node.inner, isRecord), node.values)
      case 'const':
        return constantCopy(node)
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
        return this.#scalars.writer(node)
    }
  }
}

function textOf(copy: Writer<unknown>): Writer<string> {
  return (value) => nativeText(copy(value), '') ?? refuse('the value has no JSON text', '')
}

/** A list of plain scalars is used as it is, any other is copied item by item. */
function arrayCopy(context: WriterContext<unknown>, node: ArrayNode): Writer<readonly unknown[]> {
  const source = arraySource(node)
  const isNative = nativeTest(node)
  const { prefix, rest } = itemWriters(context, node)
  return (value) => {
    const items = source(value)
    if (isNative !== undefined && isNative(items)) return items
    const copy: unknown[] = []
    let index = 0
    try {
      for (; index < items.length; index++) copy.push((prefix[index] ?? rest)(items[index]))
    } catch (error) {
      throw prefixPointer(error, '', index)
    }
    return copy
  }
}

function nullableCopy(inner: Writer<unknown>, isNull: boolean): Writer<unknown> {
  return (value) => (value === null ? (isNull ? null : {}) : inner(value))
}

function constantCopy({ strict, value: literal }: Extract<Node, { kind: 'const' }>): Writer<unknown> {
  if (!strict) return () => literal
  return (value) =>
    isConstant(value, literal) ? literal : refuse('the value is not the constant of the schema', '')
}
