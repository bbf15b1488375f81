import { isSurelyLinear } from '../regexp/glance.ts'
import { isIdle, TYPE_OF } from '../document/idle.ts'
import { isKnownFormat } from '../document/known-keywords.ts'
import { isJsonType, TYPE_TESTS, typesOf } from '../document/json-types.ts'
import { formOf, VOCABULARY, type Keyword, type ValueForm } from '../document/vocabulary.ts'
import { isJsonScalar, isObject, isPlainObject, listOf, NOTHING } from '../guards.ts'
import { isOutside } from '../runtime/outside.ts'
import { combinationsAt } from './combinations.ts'

/*
 * Most schemas of an application are plain: types, properties, limits, references to shared schemas. One walk proves
 * that such a schema is pure JSON and has valid keywords, which otherwise takes three. The walk has no false
 * positives; every other schema goes to the full checks, which also write the error messages.
 */

/** Whether a keyword's value is certainly valid. */
type Rule = (value: unknown, parent: Record<string, unknown>, findings: Findings, depth: number) => boolean

const MAX_DEPTH = 50
/** Up to this number of values, comparing each with all others is fastest. */
const FEW = 16

const schema: Rule = (value, _parent, findings, depth) => isPlainBelow(value, findings, depth + 1)

const properties: Rule = (value, _parent, findings, depth) => {
  if (!isPlainObject(value)) return false
  for (const name in value) {
    if (!isPlainBelow(value[name], findings, depth + 1)) return false
  }
  return true
}

const type: Rule = (value) =>
  Array.isArray(value) ? value.length > 0 && isListOf(value, isJsonType) : isJsonType(value)

const text: Rule = (value) => typeof value === 'string'
const flag: Rule = (value) => typeof value === 'boolean'
const limit: Rule = (value) => Number.isFinite(value)
const count: Rule = (value) => Number.isInteger(value) && Number(value) >= 0

const names: Rule = (value) => Array.isArray(value) && isListOf(value, (name) => typeof name === 'string')
/** Notes whether `properties` lacks a name. */
const required: Rule = (value, parent, findings, depth) => {
  if (!names(value, parent, findings, depth)) return false
  const declared = parent['properties']
  findings.undeclared ||=
    !isPlainObject(declared) || !listOf(value).every((name) => Object.hasOwn(declared, String(name)))
  return true
}
const scalars: Rule = (value) => Array.isArray(value) && value.length > 0 && isListOf(value, isJsonScalar)
/** Notes whether no type is beside a value. */
const values =
  (rule: Rule): Rule =>
  (value, parent, findings, depth) => {
    findings.values ||= parent['type'] === undefined
    return rule(value, parent, findings, depth)
  }

/** Data may contain a key `$ref`. */
const data: Rule = (value, _parent, { symbolKeysCount }) => {
  if (isJsonScalar(value)) return true
  const inside = new Findings(symbolKeysCount)
  return value !== undefined && isPure(value, inside) && inside.refs.length === 0
}

/** Rules by the form of the value; forms without a rule go to the full checks. */
const BY_FORM: Readonly<Partial<Record<ValueForm, Rule>>> = {
  string: text,
  boolean: flag,
  number: limit,
  count,
  names,
  types: type,
  values: scalars,
  pattern: (value) => typeof value === 'string' && isPattern(value),
  array: (value, parent, findings, depth) => Array.isArray(value) && data(value, parent, findings, depth),
  schema,
  'schema-or-list': schema,
  map: properties,
}

/** Keywords with a rule beyond the form of their value. */
const OWN_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['format', (value) => typeof value === 'string' && isKnownFormat(value)],
  ['enum', values(scalars)],
  ['const', values(data)],
  [
    'default',
    (value, parent, findings, depth) => {
      findings.defaults ||= !isSurelyAccepted(value, parent)
      // A default at the root would be ignored.
      return depth > 0 && data(value, parent, findings, depth)
    },
  ],
  ['required', required],
  ['nullable', (value, parent) => value === true && parent['type'] !== undefined],
  [
    '$ref',
    (value, parent, findings) => {
      // A reference that starts with "#" leads into the schema itself.
      if (typeof value !== 'string' || value === '' || value.startsWith('#')) return false
      findings.addRef(value)
      findings.combinations += combinationsAt('$ref', parent)
      return true
    },
  ],
])

const RULES: ReadonlyMap<string, Rule> = new Map(VOCABULARY.flatMap(ruleOf))

function ruleOf(keyword: Keyword): [string, Rule][] {
  const form = formOf(keyword)
  const rule = OWN_RULES.get(keyword.name) ?? (form === undefined ? data : BY_FORM[form])
  return keyword.isCommon === true && rule !== undefined ? [[keyword.name, rule]] : []
}

/** Whether a schema needs no further checks, except those of the schemas that it refers to. */
export function isPlainSchema(value: unknown, findings: Findings): boolean {
  return !findings.symbolKeysCount && isPlainBelow(value, findings, 0)
}

function isPlainBelow(value: unknown, findings: Findings, depth: number): boolean {
  if (typeof value === 'boolean') return true
  if (!isPlainObject(value) || depth > MAX_DEPTH || value['toJSON'] !== undefined) return false
  const { type: given } = value
  const group = given === 'integer' ? 'number' : given
  // Creates no list of keys. At worst, an inherited key leads to the full checks.
  for (const keyword in value) {
    const rule = RULES.get(keyword)
    if (rule === undefined || !rule(value[keyword], value, findings, depth)) return false
    const wanted = group === undefined ? undefined : TYPE_OF.get(keyword)
    // Most types fit: no call for them.
    if (wanted !== undefined && wanted !== group && !findings.idle) findings.idle = isIdle(keyword, value)
  }
  return true
}

function isListOf(values: readonly unknown[], passes: (value: unknown) => boolean): boolean {
  if (values.length > FEW && new Set(values).size !== values.length) return false
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (!passes(value) || (values.length <= FEW && values.indexOf(value) !== index)) return false
  }
  return true
}

/** Whether a schema accepts its own default, so that nothing else needs to look at it. */
function isSurelyAccepted(value: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  return (
    isJsonScalar(value) &&
    schema['$ref'] === undefined &&
    typesOf(schema).some((type) => TYPE_TESTS[type](value)) &&
    !isOutside(value, schema)
  )
}

/** Whether a regular expression is valid and needs no cost analysis. */
function isPattern(source: string): boolean {
  if (!isSurelyLinear(source)) return false
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** The facts that a walk over a schema collects. */
export class Findings {
  /** Whether keywords of the application may read symbol keys. */
  readonly symbolKeysCount: boolean
  /** Of a plain schema, how often the schemas inside can be combined, as a power of two. */
  combinations = 0
  /** Whether a schema may refuse its own default. */
  defaults = false
  /** Whether an `enum` or `const` has no type beside it. */
  values = false
  /** Whether a name is required that the `properties` beside it lack. */
  undeclared = false
  /** Whether a keyword checks nothing beside its type. */
  idle = false
  // Most schemas have no reference.
  #refs: Set<string> | undefined = undefined

  constructor(symbolKeysCount: boolean) {
    this.symbolKeysCount = symbolKeysCount
  }

  /** Every string under a key `$ref` or `$dynamicRef`, once. */
  get refs(): readonly string[] {
    return this.#refs === undefined ? NOTHING : [...this.#refs]
  }

  addRef(ref: string): void {
    this.#refs ??= new Set()
    this.#refs.add(ref)
  }
}

/** Whether `JSON.stringify` keeps the whole value. */
export function isPure(value: unknown, findings: Findings, ancestors: object[] = []): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || isPureObject(value, findings, ancestors)
    default:
      return false
  }
}

function isPureObject(value: object, findings: Findings, ancestors: object[]): boolean {
  if (ancestors.includes(value)) return false
  if (findings.symbolKeysCount && Object.getOwnPropertySymbols(value).length > 0) return false
  ancestors.push(value)
  const pure = Array.isArray(value)
    ? value.every((item) => item !== undefined && isPure(item, findings, ancestors))
    : isPlainObject(value) &&
      typeof value['toJSON'] !== 'function' &&
      hasPureValues(value, findings, ancestors)
  ancestors.pop()
  return pure
}

function hasPureValues(value: Record<string, unknown>, findings: Findings, ancestors: object[]): boolean {
  for (const key of Object.keys(value)) {
    const entry = value[key]
    if (typeof entry === 'string') {
      if (key === '$ref' || key === '$dynamicRef') findings.addRef(entry)
    } else if (isObject(entry) ? !isPureObject(entry, findings, ancestors) : !isPure(entry, findings)) {
      return false
    }
  }
  return true
}
