import { isSchemaObject } from '../guards.ts'
import type { Dialect } from './dialect.ts'
import { isExtensionKeyword, keywordsOf, namesOf, type Keyword } from './vocabulary.ts'

/** Keywords that can refuse a value, as Ajv counts them: a schema without any accepts everything. */
const RULES: ReadonlySet<string> = new Set(namesOf(({ role }) => role === 'rule'))

/** Rules that only Ajv checks; `id` is the draft-4 name of `$id`, which it refuses. */
const AJV_RULES: ReadonlySet<string> = new Set(['id', ...namesOf(({ role }) => role === 'ajv-rule')])

/** Whether Ajv counts a keyword as a rule. */
function isRule(keyword: string): boolean {
  return RULES.has(keyword) || AJV_RULES.has(keyword)
}

/** Whether a schema has no rule, so that every value is valid. */
export function acceptsAnything(schema: unknown): boolean {
  if (schema === true) return true
  if (!isSchemaObject(schema)) return false
  for (const keyword of Object.keys(schema)) if (isRule(keyword)) return false
  return true
}

/** Bits for the keywords that a schema has. */
export const HAS = {
  /** A rule other than `$ref`. */
  rule: 1,
  number: 2,
  string: 4,
  array: 8,
  object: 16,
  /** A keyword about one kind of values. */
  group: 30,
  inPlace: 32,
  /** `const` or `enum`. */
  constant: 128,
  /** A keyword that neither acceptors nor refusers implement. */
  unknown: 64,
  /** A keyword that acceptors leave to the decider. */
  unaccepted: 256,
} as const

const GROUP_BITS: Readonly<Record<Dialect, ReadonlyMap<string, number>>> = {
  'draft-07': groupBits('draft-07'),
  '2020-12': groupBits('2020-12'),
}
/** Bits that a keyword sets even when its value is undefined. */
const NAME_BITS = HAS.rule | HAS.unknown

/** Returns the keywords that a schema has, as bits of {@link HAS}. */
export function surveyKeywords(schema: Readonly<Record<string, unknown>>, dialect: Dialect): number {
  const known = GROUP_BITS[dialect]
  let bits = 0
  for (const keyword of Object.keys(schema)) {
    const own = known.get(keyword) ?? (isExtensionKeyword(keyword) ? 0 : unknownBits(keyword))
    bits = bits | (schema[keyword] === undefined ? own & NAME_BITS : own)
  }
  return bits
}

function unknownBits(keyword: string): number {
  return HAS.unknown | (isRule(keyword) ? HAS.rule : 0)
}

function groupBits(dialect: Dialect): Map<string, number> {
  const bits = new Map<string, number>()
  for (const keyword of keywordsOf(dialect)) {
    if (keyword.role !== 'ajv-rule') bits.set(keyword.name, bitsOf(keyword))
  }
  return bits
}

function bitsOf({ name, role, groups = [], inPlace, isUnaccepted }: Keyword): number {
  if (role !== 'rule') return 0
  const bits: number[] = groups.map((group) => HAS[group])
  if (name !== '$ref') bits.push(HAS.rule)
  if (inPlace === true && groups.length === 0) bits.push(HAS.inPlace)
  if (name === 'const' || name === 'enum') bits.push(HAS.constant)
  if (isUnaccepted === true) bits.push(HAS.unaccepted)
  return bits.reduce((all, bit) => all | bit, 0)
}
