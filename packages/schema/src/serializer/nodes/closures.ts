/** Nodes as closures, for what is called seldom and where the process forbids code made of text. */
import { createDateWriter, type DateWriter } from '../../runtime/dates.ts'
import { refuse } from '../../runtime/describe.ts'
import { anyValue, anyValueOrNull } from '../../runtime/projection.ts'
import { anyText, itemText, nativeText } from '../../runtime/text.ts'
import { ANY } from './any.ts'
import { DefinitionTable, type SharedWriters } from './definitions.ts'
import type { FormedNode, Node } from './node.ts'

/** Makes JSON text of a value, or a clean copy of it. Errors have pointers that are relative to the value. */
export type Writer<Result> = (value: unknown) => Result

/** Makes the closures of one serializer. What they make of a value is its text, or a clean copy of it. */
export abstract class Closures<Result> {
  /** Every property is read only if it is the object's own; needed when `Object.prototype` is polluted. */
  readonly ownReads: boolean
  readonly definitions: DefinitionTable<Result>
  #dates: DateWriter | undefined

  /** @param shared - the writers of shared definitions that other serializers have made */
  constructor(ownReads: boolean, shared: SharedWriters<Result>) {
    this.ownReads = ownReads
    this.definitions = new DefinitionTable(shared)
  }

  /** What the writers of dates remember. */
  get dates(): DateWriter {
    return (this.#dates ??= createDateWriter())
  }

  /** The closure of a whole value, to its text. */
  abstract root(node: Node): Writer<string>
  /** What is made of any value within another one. */
  abstract any(value: unknown): Result
  /** What is made of a JSON value of the schema. */
  abstract constant(value: unknown): Result
  /** The closure of a node in the form of these. */
  abstract formed(node: FormedNode, isRecord: boolean): Writer<Result>
  /** The writer of a property; an untyped value may have no text. */
  abstract property(node: Node): Writer<Result | undefined>
}

/** Closures that build the text piece by piece. */
export class TextClosures extends Closures<string> {
  root(node: Node): Writer<string> {
    if (node !== ANY) return this.definitions.finish(node, node.writer(this, false))
    return (value) => anyText(value, '') ?? refuse('the value has no JSON text', '')
  }

  any(value: unknown): string {
    return itemText(value, '')
  }

  constant(value: unknown): string {
    return JSON.stringify(value)
  }

  formed(node: FormedNode, isRecord: boolean): Writer<string> {
    return node.textWriter(this, isRecord)
  }

  property(node: Node): Writer<string | undefined> {
    return node === ANY ? (value) => anyText(value, '') : node.writer(this, false)
  }
}

/** Closures that build a clean copy of the value, for one native `JSON.stringify`. */
export class CopyClosures extends Closures<unknown> {
  root(node: Node): Writer<string> {
    const copy =
      node === ANY ? (value: unknown) => value : this.definitions.finish(node, node.writer(this, false))
    return (value) => nativeText(copy(value), '') ?? refuse('the value has no JSON text', '')
  }

  any(value: unknown): unknown {
    return anyValueOrNull(value)
  }

  constant(value: unknown): unknown {
    return value
  }

  formed(node: FormedNode, isRecord: boolean): Writer<unknown> {
    return node.copyWriter(this, isRecord)
  }

  property(node: Node): Writer<unknown> {
    return node === ANY ? anyValue : node.writer(this, false)
  }
}
