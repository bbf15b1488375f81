import type { Effect, Report } from './changes.ts'
import type { DocumentReader, Json } from './json.ts'
import { listOf, objectOf, textOf } from './json.ts'
import { KEYWORD_CHECKS } from './keywords.ts'
import { isNothing, normalizeSchema, schemasOf } from './normalize-schema.ts'

/** Two documents, and the report for breaking changes. */
export interface Comparison {
  readonly before: DocumentReader
  readonly after: DocumentReader
  readonly report: Report
}

/** A location in a schema. */
export interface SchemaPlace {
  readonly where: string
  /** Who sends the values: the client sends `request`, the server `response`. */
  readonly side: 'request' | 'response'
  /** The effect that breaks clients; `not` inverts it. */
  readonly breaks: Effect
}

/** Returns the place for values of a side. Clients break when fewer requests are valid, or more responses. */
export function placeOf(side: SchemaPlace['side'], where: string): SchemaPlace {
  return { side, where, breaks: side === 'request' ? 'narrowed' : 'widened' }
}

/** Keywords with one schema, for parts of the value; a missing one is equal to `true`. */
const INNER = [
  'items',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
]
/** Keywords with schemas by name, other than properties. */
const NAMED = ['patternProperties', 'dependentSchemas']
/** A property for the other direction is never part of the value. */
const OTHER_SIDE = { request: 'readOnly', response: 'writeOnly' } as const
const OPPOSITE = { narrowed: 'widened', widened: 'narrowed' } as const

/** Compares two schemas at one place. */
export class SchemaComparison {
  readonly #comparison: Comparison
  /** The pairs being compared; needed because schemas may contain themselves. */
  readonly #open = new Set<string>()

  constructor(comparison: Comparison) {
    this.#comparison = comparison
  }

  compare(given: unknown, wanted: unknown, place: SchemaPlace): void {
    const key = `${textOf(given)}\n${textOf(wanted)}`
    if (this.#open.has(key)) return
    this.#open.add(key)
    const before = normalizeSchema(given, this.#comparison.before)
    const after = normalizeSchema(wanted, this.#comparison.after)
    if (textOf(before) !== textOf(after) || textOf(before).includes('"$ref"'))
      this.#compare(before, after, place)
    this.#open.delete(key)
  }

  #compare(before: Json, after: Json, place: SchemaPlace): void {
    if (isNothing(before) || isNothing(after)) {
      if (isNothing(before) === isNothing(after)) return
      this.#effect('schema', isNothing(after) ? 'narrowed' : 'widened', place, before, after)
      return
    }
    if (this.#compareWrapped(before, after, place)) return
    for (const { keyword, compare } of KEYWORD_CHECKS) {
      for (const effect of compare(before[keyword], after[keyword])) {
        this.#effect(keyword, effect, place, before[keyword], after[keyword])
      }
    }
    this.#compareDefault(before, after, place)
    this.#compareProperties(before, after, place)
    this.#compareInner(before, after, place)
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
      this.#compareUnion(keyword, before, after, place)
    if (before['not'] !== undefined || after['not'] !== undefined) this.#compareNot(before, after, place)
  }

  #effect(keyword: string, effect: Effect, place: SchemaPlace, before: unknown, after: unknown): void {
    if (effect !== place.breaks) return
    this.#comparison.report({
      level: 'error',
      check: `${place.side}-${keyword}-${effect}`,
      where: place.where,
      message: `${keyword}: ${short(before)} → ${short(after)}; ${effect === 'narrowed' ? 'valid requests are refused' : 'clients get values that they do not expect'}`,
    })
  }

  #warn(check: string, place: SchemaPlace, message: string): void {
    this.#comparison.report({ level: 'warning', check, where: place.where, message })
  }

  #compareDefault(before: Json, after: Json, place: SchemaPlace): void {
    if (place.side === 'response' || textOf(before['default']) === textOf(after['default'])) return
    const message = `default: ${short(before['default'])} → ${short(after['default'])}; requests without the value mean something else`
    this.#warn('request-default-changed', place, message)
  }

  #compareProperties(before: Json, after: Json, place: SchemaPlace): void {
    const [old, now] = [schemasOf(before, 'properties'), schemasOf(after, 'properties')]
    const isClosed = after['additionalProperties'] === false
    for (const [name, schema] of Object.entries(old)) {
      const inner = { ...place, where: `${place.where}/${name}` }
      const other = OTHER_SIDE[place.side]
      const [known, next] = [this.#comparison.before.follow(schema), this.#comparison.after.follow(now[name])]
      if (known[other] === true) continue
      if (now[name] === undefined) this.#compareRemoved(isClosed, inner)
      else if (next[other] === true) {
        this.#warn(`${place.side}-property-became-${other}`, inner, `the property is ${other} now`)
      } else this.compare(schema, now[name], inner)
    }
    const [open, stillOpen] = [before['additionalProperties'] ?? true, after['additionalProperties'] ?? true]
    // Clients ignore properties that they do not know.
    if (place.breaks === 'narrowed' || open !== false) {
      this.compare(open, stillOpen, { ...place, where: `${place.where}/*` })
    }
  }

  #compareRemoved(isClosed: boolean, place: SchemaPlace): void {
    if (place.side === 'response') return
    this.#comparison.report({
      level: isClosed ? 'error' : 'warning',
      check: 'request-property-removed',
      where: place.where,
      message: isClosed
        ? 'the property is gone, and no other is allowed; valid requests are refused'
        : 'the property is gone; what clients send in it is ignored',
    })
  }

  #compareInner(before: Json, after: Json, place: SchemaPlace): void {
    for (const keyword of INNER) {
      if (before[keyword] === undefined && after[keyword] === undefined) continue
      const inner = { ...place, where: `${place.where}/${keyword === 'items' ? '[]' : keyword}` }
      // `if` itself is not compared: a change of it changes both branches.
      if (keyword !== 'if') this.compare(before[keyword] ?? true, after[keyword] ?? true, inner)
      else if (textOf(before['if']) !== textOf(after['if'])) {
        this.#effect('if', place.breaks, place, before['if'], after['if'])
      }
    }
    const [first, second] = [listOf(before['prefixItems']), listOf(after['prefixItems'])]
    for (let index = 0; index < Math.max(first.length, second.length); index++) {
      const inner = { ...place, where: `${place.where}/${index}` }
      this.compare(first[index] ?? before['items'] ?? true, second[index] ?? after['items'] ?? true, inner)
    }
    for (const keyword of NAMED) {
      const [old, now] = [schemasOf(before, keyword), schemasOf(after, keyword)]
      for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
        this.compare(old[name] ?? true, now[name] ?? true, {
          ...place,
          where: `${place.where}/${keyword}/${name}`,
        })
      }
    }
  }

  /** Detects a schema that became a branch of a union, or the only branch that remains. */
  #compareWrapped(before: Json, after: Json, place: SchemaPlace): boolean {
    const [old, now] = [branchesOf(before), branchesOf(after)]
    if ((old === null) === (now === null)) return false
    const { before: first, after: second } = this.#comparison
    const isSame = (one: unknown, other: Json, reader: DocumentReader): boolean =>
      textOf(normalizeSchema(one, reader)) === textOf(other)
    if (now?.some((branch) => isSame(branch, before, second)) === true) {
      this.#effect('union', 'widened', place, before, after)
      return true
    }
    if (old?.some((branch) => isSame(branch, after, first)) !== true) return false
    this.#effect('union', 'narrowed', place, before, after)
    return true
  }

  /** Members of `allOf` restrict values; branches of `anyOf` and `oneOf` add values. */
  #compareUnion(keyword: 'allOf' | 'anyOf' | 'oneOf', before: Json, after: Json, place: SchemaPlace): void {
    if (before[keyword] === undefined || after[keyword] === undefined) {
      if (before[keyword] === after[keyword]) return
      this.#effect(
        keyword,
        after[keyword] === undefined ? 'widened' : 'narrowed',
        place,
        before[keyword],
        after[keyword],
      )
      return
    }
    const { before: first, after: second } = this.#comparison
    const texts = (list: unknown, reader: DocumentReader): [string, unknown][] =>
      listOf(list).map((one) => [textOf(normalizeSchema(one, reader)), one])
    const [old, now] = [texts(before[keyword], first), texts(after[keyword], second)]
    // Equal texts may refer to definitions that differ.
    for (const [text, one] of old) {
      const same = now.find(([other]) => other === text)
      if (same !== undefined) this.compare(one, same[1], { ...place, where: `${place.where}/${keyword}` })
    }
    const gone = old.filter(([text]) => !now.some(([other]) => other === text))
    const added = now.filter(([text]) => !old.some(([other]) => other === text))
    const pairs = pairUp(
      gone.map(([, one]) => one),
      added.map(([, one]) => one),
      this.#comparison,
    )
    for (const [one, other] of pairs.both)
      this.compare(one, other, { ...place, where: `${place.where}/${keyword}` })
    const [fewer, more]: [Effect, Effect] =
      keyword === 'allOf' ? ['widened', 'narrowed'] : ['narrowed', 'widened']
    for (const one of pairs.gone) this.#effect(keyword, fewer, place, one, undefined)
    for (const one of pairs.added) this.#effect(keyword, more, place, undefined, one)
  }

  #compareNot(before: Json, after: Json, place: SchemaPlace): void {
    const inner = { ...place, where: `${place.where}/not`, breaks: OPPOSITE[place.breaks] }
    if (before['not'] === undefined) this.#effect('not', 'narrowed', place, undefined, after['not'])
    else if (after['not'] === undefined) this.#effect('not', 'widened', place, before['not'], undefined)
    else this.compare(before['not'], after['not'], inner)
  }
}

interface Pairs {
  readonly both: readonly (readonly [unknown, unknown])[]
  readonly gone: readonly unknown[]
  readonly added: readonly unknown[]
}

/** Returns the branches of a schema with a union and at most one other keyword; otherwise `null`. */
function branchesOf(schema: Json): readonly unknown[] | null {
  const branches = listOf(schema['oneOf'] ?? schema['anyOf'])
  return branches.length === 0 || Object.keys(schema).length > 2 ? null : branches
}

/** Pairs changed branches by the name of their reference, their title, or the value that distinguishes them. */
function pairUp(gone: readonly unknown[], added: readonly unknown[], { before, after }: Comparison): Pairs {
  const both: (readonly [unknown, unknown])[] = []
  const left = [...added]
  const alone = gone.filter((one) => {
    const name = nameOf(one, before)
    const index = left.findIndex((other) => name !== null && nameOf(other, after) === name)
    if (index === -1) return true
    both.push([one, left[index]])
    left.splice(index, 1)
    return false
  })
  return { both, gone: alone, added: left }
}

function nameOf(branch: unknown, reader: DocumentReader): string | null {
  const reference = objectOf(branch)['$ref']
  if (typeof reference === 'string') return reference
  const schema = reader.follow(branch)
  if (typeof schema['title'] === 'string') return schema['title']
  const constants = Object.entries(schemasOf(schema, 'properties')).flatMap(([name, value]) => {
    const { const: constant, enum: values } = reader.follow(value)
    return constant === undefined && listOf(values).length !== 1
      ? []
      : [`${name}=${textOf(constant ?? values)}`]
  })
  if (constants.length > 0) return constants.join(' ')
  return typeof schema['type'] === 'string' ? schema['type'] : null
}

const MAX_SHOWN_LENGTH = 60

function short(value: unknown): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}
