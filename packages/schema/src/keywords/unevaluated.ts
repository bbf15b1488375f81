import { tupleOf } from '../document/tuple.ts'
import type { Block, Target } from '../walk/code.ts'
import type { Frame, Rule } from '../walk/frame.ts'
import { SILENT, type Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ListData, ObjectData, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, FAILED, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'

/*
 * `unevaluatedProperties` and `unevaluatedItems`, and the notes that the other keywords of a schema take for them. What
 * is evaluated is known in the course of a walk only.
 */

/** Notes what the keywords of a schema look at. */
abstract class NotePart<Data> implements Part<Data> {
  fits(): Verdict {
    return YES
  }

  abstract note(data: Data, value: Value, frame: Frame): void

  emit(): void {}

  apply(data: Data, value: Value, _mode: Mode, frame: Frame): Outcome {
    if (value.evaluated !== undefined) this.note(data, value, frame)
    return PASSED
  }
}

class NoteAll extends NotePart<unknown> {
  note(_data: unknown, { evaluated }: Value): void {
    evaluated?.addAll()
  }
}

class NoteDeclared extends NotePart<ObjectData> {
  readonly #node: SchemaNode

  constructor(node: SchemaNode) {
    super()
    this.#node = node
  }

  note(data: ObjectData, { evaluated }: Value): void {
    for (const key in data) if (!this.#node.declared.isUndeclared(key)) evaluated?.add(key)
  }
}

class NoteItems extends NotePart<ListData> {
  readonly #length: number
  readonly #contained: SchemaNode | undefined

  /** @param contained - the schema of `contains` */
  constructor(length: number, contained: SchemaNode | undefined) {
    super()
    this.#length = length
    this.#contained = contained
  }

  note({ length }: ListData, value: Value, frame: Frame): void {
    for (let index = 0; index < length; index++) {
      const isMatch =
        index < this.#length || this.#contained?.apply(value.entry(index), SILENT, frame) === true
      if (isMatch) value.evaluated?.add(index)
    }
  }
}

/** Notes the properties that the keywords of a schema look at. */
export const evaluatedProperties: Keyword<ObjectData> = {
  names: ['properties', 'patternProperties', 'additionalProperties'],
  read(node) {
    const { properties, patternProperties, additionalProperties } = node.schema
    if (!node.context.isCollecting) return undefined
    if (additionalProperties !== undefined) return new NoteAll()
    return properties === undefined && patternProperties === undefined ? undefined : new NoteDeclared(node)
  },
}

/** Notes the items that the keywords of a schema look at. */
export const evaluatedItems: Keyword<ListData> = {
  names: ['items', 'prefixItems', 'additionalItems', 'contains'],
  read(node) {
    if (!node.context.isCollecting) return undefined
    const { dialect } = node.location.document
    const { schemas, rest } = tupleOf(node.schema, dialect)
    const isContained = dialect === '2020-12' && node.schema['contains'] !== undefined
    if (node.schema[rest] !== undefined || (isContained && node.isOpen('contains'))) return new NoteAll()
    if (schemas.length === 0 && !isContained) return undefined
    return new NoteItems(schemas.length, isContained ? node.at('contains') : undefined)
  },
}

/** A keyword about what is unevaluated. */
abstract class UnevaluatedPart<Data, Params extends object> implements Part<Data>, Rule<Params> {
  abstract readonly keyword: string
  readonly node: SchemaNode
  /** Undefined where nothing unevaluated may be there. */
  readonly schema: SchemaNode | undefined

  constructor(node: SchemaNode, schema: SchemaNode | undefined) {
    this.node = node
    this.schema = schema
  }

  get below(): readonly (SchemaNode | undefined)[] {
    return [this.schema]
  }

  abstract message(params: Params): string

  fits(): Verdict {
    return ASK
  }

  abstract keysOf(data: Data): Iterable<string | number>
  abstract paramsOf(key: string | number): Params
  /** One error is enough, however many are unevaluated. */
  abstract readonly failsOnce: boolean

  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    for (const key of this.keysOf(data)) {
      if (value.evaluated?.has(key) === true) continue
      if (this.schema?.apply(value.entry(key), mode, frame) === true) continue
      if (this.schema === undefined) frame.fail(this, this.paramsOf(key), value, mode)
      if (!mode.isThorough || (this.schema === undefined && this.failsOnce)) return FAILED
      fits = false
    }
    value.evaluated?.addAll()
    return fits ? PASSED : FAILED
  }

  emit(_target: Target, { writer, defer }: Block): void {
    writer.line(defer)
  }
}

class UnevaluatedPropertiesPart extends UnevaluatedPart<ObjectData, { unevaluatedProperty: string }> {
  readonly keyword = 'unevaluatedProperties'
  readonly failsOnce = false

  message(): string {
    return 'must NOT have unevaluated properties'
  }

  *keysOf(data: ObjectData): Iterable<string> {
    for (const key in data) yield key
  }

  paramsOf(key: string | number) {
    return { unevaluatedProperty: String(key) }
  }
}

class UnevaluatedItemsPart extends UnevaluatedPart<ListData, { limit: number }> {
  readonly keyword = 'unevaluatedItems'
  readonly failsOnce = true

  message({ limit }: { limit: number }): string {
    return `must NOT have more than ${limit} items`
  }

  keysOf(list: ListData): Iterable<number> {
    return list.keys()
  }

  paramsOf(key: string | number) {
    return { limit: Number(key) }
  }
}

/** The keyword `unevaluatedProperties`. */
export const unevaluatedProperties: Keyword<ObjectData> = {
  names: ['unevaluatedProperties'],
  read: (node) => read(node, 'unevaluatedProperties', UnevaluatedPropertiesPart),
}

/** The keyword `unevaluatedItems`. */
export const unevaluatedItems: Keyword<ListData> = {
  names: ['unevaluatedItems'],
  read: (node) => read(node, 'unevaluatedItems', UnevaluatedItemsPart),
}

function read<Data>(
  node: SchemaNode,
  keyword: string,
  PartOf: new (node: SchemaNode, schema: SchemaNode | undefined) => Part<Data>,
): Part<Data> | NoteAll {
  if (node.isOpen(keyword)) return new NoteAll()
  return new PartOf(node, node.schema[keyword] === false ? undefined : node.at(keyword))
}
