import { acceptsAnything } from '../document/known-keywords.ts'
import { tupleOf } from '../document/arrays.ts'
import { holds, type Evaluated } from '../walk/evaluated.ts'
import { FAILED, PASSED, SILENT, type Frame, type Outcome } from '../walk/walk.ts'
import type { JsonReading, SchemaNode } from '../walk/node.ts'
import {
  keysOf,
  KeywordPart,
  noting,
  type Behaviour,
  type Keyword,
  type ListData,
  type ObjectData,
  type Part,
} from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, YES } from '../walk/look.ts'

/*
 * `unevaluatedProperties` and `unevaluatedItems`, and the notes that the other keywords of a schema take for them. Only
 * a walk can find out what is evaluated.
 */

/** Takes notes of a value. */
type Note<Data> = (data: Data, evaluated: Evaluated, value: Value, frame: Frame) => void

/**
 * Takes notes during a walk, if a keyword needs them.
 * @param below - schemas that are applied to the value itself to find out
 */
function notePart<Data>(node: SchemaNode, note: Note<Data>, below?: readonly SchemaNode[]): Part<Data> {
  const behaviour: Behaviour<Data, Part['below'], object> = {
    names: ['unevaluatedProperties'],
    below: (nodes) => nodes,
    fits: () => YES,
    apply(_part, data, value, _mode, frame) {
      if (value.evaluated !== undefined) note(data, value.evaluated, value, frame)
      return PASSED
    },
    emit: () => {},
  }
  return new KeywordPart(behaviour, node, below)
}

const noteAll: Note<unknown> = (_data, evaluated) => evaluated.addAll()

/**
 * Notes what is evaluated by branches that refuse no value: beside a branch that accepts everything, or without a
 * clause.
 */
export const notedBranches: Keyword = noting(['anyOf', 'if'], (node) => {
  const branches = node.listBelow('anyOf') ?? []
  const telling = branches.filter(({ location }) => !acceptsAnything(location.schema))
  const test = node.isOpen('then') && node.isOpen('else') ? node.at('if') : undefined
  const noted = [...(telling.length < branches.length ? telling : []), ...(test === undefined ? [] : [test])]
  return notePart(
    node,
    (_data, _evaluated, value, frame) => noted.forEach((branch) => holds(branch, value, frame)),
    noted,
  )
})

/** Notes the properties that the keywords of a schema evaluate. */
const evaluatedProperties: Keyword<ObjectData> = noting(
  ['properties', 'patternProperties', 'additionalProperties'],
  (node) => {
    if (node.schema['additionalProperties'] !== undefined) return notePart(node, noteAll)
    const { undeclared } = node.declared
    return notePart(node, (data, evaluated) => {
      for (const key in data) if (!undeclared.has(key)) evaluated.add(key)
    })
  },
)

/** Notes the items that the keywords of a schema evaluate. */
const evaluatedItems: Keyword<ListData> = noting(
  ['items', 'prefixItems', 'additionalItems', 'contains'],
  (node) => {
    const { dialect } = node.location.document
    const { schemas, rest } = tupleOf(node.schema, dialect)
    const isContained = dialect === '2020-12' && node.schema['contains'] !== undefined
    if (node.schema[rest] !== undefined || (isContained && node.isOpen('contains')))
      return notePart(node, noteAll)
    const contained = isContained ? node.at('contains') : undefined
    return notePart(node, (list, evaluated, value, frame) => {
      for (const index of list.keys()) {
        const isMatch = index < schemas.length || contained?.apply(value.entry(index), SILENT, frame) === true
        if (isMatch) evaluated.add(index)
      }
    })
  },
)

/** The differences between the two keywords. */
interface Unevaluated<Data, Params extends object> {
  readonly keyword: keyof JsonReading
  keysOf(data: Data): Iterable<string | number>
  params(key: string | number): Params
  message(params: Params): string
  /** One error is enough for any number of unevaluated ones. */
  readonly failsOnce: boolean
}

/** @param inJson - reads it for a serializer */
function unevaluated<Data, Params extends object>(
  { keyword, keysOf, params, message, failsOnce }: Unevaluated<Data, Params>,
  inJson: (json: JsonReading, node: SchemaNode) => Part<Data> | undefined,
): Keyword<Data> {
  // `read` is the schema of unevaluated properties or items; undefined if there may be none.
  const behaviour: Behaviour<Data, SchemaNode | undefined, Params> = {
    names: [keyword],
    below: (schema) => [schema],
    message,
    fits: () => ASK,
    apply(part, data, value, mode, frame) {
      const schema = part.read
      let outcome: Outcome = PASSED
      for (const key of keysOf(data)) {
        if (value.evaluated?.has(key) === true) continue
        if (schema?.apply(value.entry(key), mode, frame) === true) continue
        if (schema === undefined) frame.fail(part, params(key), value, mode)
        if (!mode.isThorough || (schema === undefined && failsOnce)) return FAILED
        outcome = FAILED
      }
      value.evaluated?.addAll()
      return outcome
    },
    emit: (_part, _target, { writer, defer }) => writer.line(defer),
  }
  return {
    names: [keyword],
    read(node) {
      const { json } = node.context
      if (json !== undefined) return inJson(json, node)
      if (node.isOpen(keyword)) return notePart(node, noteAll)
      const schema = node.schema[keyword] === false ? undefined : node.at(keyword)
      return new KeywordPart(behaviour, node, schema)
    },
  }
}

/** The keyword `unevaluatedProperties`. */
const unevaluatedProperties: Keyword<ObjectData> = unevaluated(
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
const unevaluatedItems: Keyword<ListData> = unevaluated(
  {
    keyword: 'unevaluatedItems',
    keysOf: (list) => list.keys(),
    params: (limit) => ({ limit }),
    message: ({ limit }) => `must NOT have more than ${limit} items`,
    failsOnce: true,
  },
  (json, node) => json.unevaluatedItems(node),
)

/** The keywords that note evaluated items, and `unevaluatedItems`. */
export const UNEVALUATED_ITEMS: readonly Keyword<ListData>[] = [evaluatedItems, unevaluatedItems]

/** The keywords that note evaluated properties, and `unevaluatedProperties`. */
export const UNEVALUATED_PROPERTIES: readonly Keyword<ObjectData>[] = [
  evaluatedProperties,
  unevaluatedProperties,
]
