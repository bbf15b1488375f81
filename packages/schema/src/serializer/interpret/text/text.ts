/** Intermediate representation to closures that build the text of the value piece by piece. */
import { refuse } from '../../../runtime/describe.ts'
import { isConstant } from '../../../runtime/literals.ts'
import { anyText, itemText } from '../../../runtime/text.ts'
import type { Node } from '../../ir.ts'
import { branchWriter } from '../branch.ts'
import { DefinitionTable, type SharedWriters } from '../definitions.ts'
import { oneOf, refusal, type ReadOptions, type Writer, type WriterContext } from '../writer.ts'
import { arrayText } from './array.ts'
import { objectText } from './object.ts'
import { ScalarTexts } from './scalar.ts'

/** What the writers of text share. */
export interface TextContext extends WriterContext<string> {
  readonly scalars: ScalarTexts
}

/** Makes the closures of one serializer. */
export class TextInterpreter implements TextContext {
  readonly options: ReadOptions
  readonly scalars: ScalarTexts = new ScalarTexts()
  readonly #definitions: DefinitionTable<string>

  /** @param shared the writers of shared definitions that other serializers have made */
  constructor(options: ReadOptions, shared: SharedWriters<string>) {
    this.options = options
    this.#definitions = new DefinitionTable(shared)
  }

  /** The writer of the whole value. */
  root(node: Node): Writer<string> {
    if (node.kind === 'any') return wholeText
    const write = this.#definitions.finish(node, this.writer(node, false))
    return write
  }

  writer(node: Node, isRecord: boolean): Writer<string> {
    switch (node.kind) {
      case 'any':
        return partText
      case 'never':
        return refusal(node.reason)
      case 'object':
        return objectText(this, node, isRecord)
      case 'array':
        return arrayText(this, node)
      case 'nullable':
        return nullableText(this.writer(node.inner, isRecord), node.text)
      case 'enum':
        return oneOf(this.writer(node.inner, isRecord), node.values)
      case 'const':
        return constantText(node)
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
        return this.scalars.writer(node)
    }
  }
}

function wholeText(value: unknown): string {
  return anyText(value, '') ?? refuse('the value has no JSON text', '')
}

function partText(value: unknown): string {
  return itemText(value, '')
}

function nullableText(inner: Writer<string>, text: string): Writer<string> {
  return (value) => (value === null ? text : inner(value))
}

function constantText({ strict, value: literal }: Extract<Node, { kind: 'const' }>): Writer<string> {
  const text = JSON.stringify(literal)
  if (!strict) return () => text
  return (value) =>
    isConstant(value, literal) ? text : refuse('the value is not the constant of the schema', '')
}
