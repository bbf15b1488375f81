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

/** What closures make of values: text, or a clean copy. */
interface ClosureForm<Result> {
  /** Of any value within another one. */
  readonly any: Writer<Result>
  /** Of any value of a property, which is left out when it has no text. */
  readonly anyProperty: Writer<Result | undefined>
  /** Of a JSON value of the schema. */
  readonly constant: Writer<Result>
  formed(node: FormedNode, closures: Closures<Result>, isRecord: boolean): Writer<Result>
}

const TEXT: ClosureForm<string> = {
  any: (value) => itemText(value, ''),
  anyProperty: (value) => anyText(value, ''),
  constant: (value) => JSON.stringify(value),
  formed: (node, closures, isRecord) => node.textWriter(closures, isRecord),
}

const COPY: ClosureForm<unknown> = {
  any: anyValueOrNull,
  anyProperty: anyValue,
  constant: (value) => value,
  formed: (node, closures, isRecord) => node.copyWriter(closures, isRecord),
}

/** Makes the closures of one serializer. */
export class Closures<Result> {
  readonly form: ClosureForm<Result>
  /** Every property is read only if it is the object's own; needed when `Object.prototype` is polluted. */
  readonly ownReads: boolean
  readonly definitions: DefinitionTable<Result>
  #dates: DateWriter | undefined

  constructor(form: ClosureForm<Result>, ownReads: boolean, shared: SharedWriters<Result>) {
    this.form = form
    this.ownReads = ownReads
    this.definitions = new DefinitionTable(shared)
  }

  /** What the writers of dates remember. */
  get dates(): DateWriter {
    return (this.#dates ??= createDateWriter())
  }

  /** The closure of a whole value. */
  whole(node: Node): Writer<Result> {
    return this.definitions.finish(node, node.writer(this, false))
  }

  /** The closure of a property; an untyped value may have no text. */
  property(node: Node): Writer<Result | undefined> {
    return node === ANY ? this.form.anyProperty : node.writer(this, false)
  }
}

/** Why nothing is written. */
export const NO_TEXT = 'the value has no JSON text'

/** Closures that build the text piece by piece. */
export function writeText(node: Node, ownReads: boolean, shared: SharedWriters<string>): Writer<string> {
  if (node === ANY) return (value) => anyText(value, '') ?? refuse(NO_TEXT, '')
  return new Closures(TEXT, ownReads, shared).whole(node)
}

/** Closures that build a clean copy of the value, for one native `JSON.stringify`. */
export function writeCopy(node: Node, shared: SharedWriters<unknown>): Writer<string> {
  const copy = node === ANY ? COPY.constant : new Closures(COPY, false, shared).whole(node)
  return (value) => nativeText(copy(value), '') ?? refuse(NO_TEXT, '')
}
