import { tupleOf } from '../document/tuple.ts'
import type { Block, Target } from '../walk/code.ts'
import { type Frame, type Mode, type Rule, SILENT } from '../walk/walk.ts'
import type { JsonReading, SchemaNode } from '../walk/node.ts'
import { keysOf, type Keyword, type ListData, type ObjectData, type Part } from '../walk/part.ts'
import { ASK, FAILED, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'

/*
 * `unevaluatedProperties` and `unevaluatedItems`, and the notes that the other keywords of a schema take for them. What
 * is evaluated is known in the course of a walk only.
 */

/** Takes notes in the course of a walk, where a keyword asks for them. */
export class NotePart<Data> implements Part<Data> {
  readonly below: readonly SchemaNode[] | undefined
  readonly #note: (data: Data, value: Value, frame: Frame) => void

  /** @param below - schemas that are applied to the value itself to find out */
  constructor(note: (data: Data, value: Value, frame: Frame) => void, below?: readonly SchemaNode[]) {
    this.#note = note
    this.below = below
  }

  fits(): Verdict {
    return YES
  }

  apply(data: Data, value: Value, _mode: Mode, frame: Frame): Outcome {
    if (value.evaluated !== undefined) this.#note(data, value, frame)
    return PASSED
  }

  emit(): void {}
}

function noteAll(_data: unknown, { evaluated }: Value): void {
  evaluated?.addAll()
}

/** Notes the properties that the keywords of a schema look at. */
export const evaluatedProperties: Keyword<ObjectData> = {
  names: ['properties', 'patternProperties', 'additionalProperties'],
  read(node) {
    const { properties, patternProperties, additionalProperties } = node.schema
    if (!node.context.isCollecting) return undefined
    if (additionalProperties !== undefined) return new NotePart(noteAll)
    if (properties === undefined && patternProperties === undefined) return undefined
    const { declared } = node
    return new NotePart((data, { evaluated }) => {
      for (const key in data) if (!declared.isUndeclared(key)) evaluated?.add(key)
    })
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
    if (node.schema[rest] !== undefined || (isContained && node.isOpen('contains')))
      return new NotePart(noteAll)
    if (schemas.length === 0 && !isContained) return undefined
    const contained = isContained ? node.at('contains') : undefined
    return new NotePart(({ length }, value, frame) => {
      for (let index = 0; index < length; index++) {
        const isMatch = index < schemas.length || contained?.apply(value.entry(index), SILENT, frame) === true
        if (isMatch) value.evaluated?.add(index)
      }
    })
  },
}

/** What differs between the two keywords about what is unevaluated. */
interface Unevaluated<Data> {
  readonly keyword: string
  keysOf(data: Data): Iterable<string | number>
  params(key: string | number): object
  readonly message: (params: object) => string
  /** One error is enough, however many are unevaluated. */
  readonly failsOnce: boolean
}

class UnevaluatedPart<Data> implements Part<Data>, Rule<object> {
  readonly node: SchemaNode
  readonly keyword: string
  readonly message: (params: object) => string
  /** Undefined where nothing unevaluated may be there. */
  readonly #schema: SchemaNode | undefined
  readonly #kind: Unevaluated<Data>

  constructor(node: SchemaNode, kind: Unevaluated<Data>) {
    this.node = node
    this.keyword = kind.keyword
    this.message = kind.message
    this.#schema = node.schema[kind.keyword] === false ? undefined : node.at(kind.keyword)
    this.#kind = kind
  }

  get below(): readonly (SchemaNode | undefined)[] {
    return [this.#schema]
  }

  fits(): Verdict {
    return ASK
  }

  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome {
    const schema = this.#schema
    let outcome: Outcome = PASSED
    for (const key of this.#kind.keysOf(data)) {
      if (value.evaluated?.has(key) === true) continue
      if (schema?.apply(value.entry(key), mode, frame) === true) continue
      if (schema === undefined) frame.fail(this, this.#kind.params(key), value, mode)
      if (!mode.isThorough || (schema === undefined && this.#kind.failsOnce)) return FAILED
      outcome = FAILED
    }
    value.evaluated?.addAll()
    return outcome
  }

  emit(_target: Target, { writer, defer }: Block): void {
    writer.line(defer)
  }
}

function keywordOf<Data>(
  kind: Unevaluated<Data>,
  inJson: (json: JsonReading, node: SchemaNode) => Part<Data> | undefined,
): Keyword<Data> {
  return {
    names: [kind.keyword],
    read(node) {
      const { json } = node.context
      if (json !== undefined) return inJson(json, node)
      return node.isOpen(kind.keyword) ? new NotePart(noteAll) : new UnevaluatedPart(node, kind)
    },
  }
}

/** The keyword `unevaluatedProperties`. */
export const unevaluatedProperties: Keyword<ObjectData> = keywordOf(
  {
    keyword: 'unevaluatedProperties',
    keysOf,
    params: (unevaluatedProperty) => ({ unevaluatedProperty }),
    message: () => 'must NOT have unevaluated properties',
    failsOnce: false,
  },
  (json, node) => json.unevaluatedProperties(node),
)

/** The keyword `unevaluatedItems`. */
export const unevaluatedItems: Keyword<ListData> = keywordOf(
  {
    keyword: 'unevaluatedItems',
    keysOf: (list) => list.keys(),
    params: (limit) => ({ limit }),
    message: (params) => `must NOT have more than ${Reflect.get(params, 'limit')} items`,
    failsOnce: true,
  },
  (json, node) => json.unevaluatedItems(node),
)
