import { isSchemaObject } from '../../../guards.ts'
import { isExtensionKeyword, namesOf, rulesOf } from '../../../document/vocabulary.ts'

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
  inPlace: 32,
  /** `const` or `enum`. */
  constant: 128,
  /** A keyword that the acceptor does not implement. */
  unknown: 64,
} as const

const GROUP_BITS: ReadonlyMap<string, number> = groupBits()
/** Bits that a keyword sets even when its value is undefined. */
const NAME_BITS = HAS.rule | HAS.unknown

/** Returns the keywords that a schema has, as bits of {@link HAS}. */
export function surveyKeywords(schema: Record<string, unknown>): number {
  let bits = 0
  for (const keyword of Object.keys(schema)) {
    const known = GROUP_BITS.get(keyword) ?? (isExtensionKeyword(keyword) ? 0 : unknownBits(keyword))
    bits = bits | (schema[keyword] === undefined ? known & NAME_BITS : known)
  }
  return bits
}

function unknownBits(keyword: string): number {
  return HAS.unknown | (isRule(keyword) ? HAS.rule : 0)
}

function groupBits(): Map<string, number> {
  const bits = new Map<string, number>()
  const add = (keywords: Iterable<string>, bit: number): void => {
    for (const keyword of keywords) bits.set(keyword, (bits.get(keyword) ?? 0) | bit)
  }
  add(
    namesOf(({ role }) => role === 'core' || role === 'annotation'),
    0,
  )
  add(RULES, HAS.rule)
  bits.set('$ref', 0)
  add(rulesOf('number'), HAS.number)
  add(rulesOf('string'), HAS.string)
  add(rulesOf('array'), HAS.array)
  add(rulesOf('object'), HAS.object)
  add(
    namesOf(({ inPlace, groups }) => inPlace === true && groups === undefined),
    HAS.inPlace,
  )
  add(['const', 'enum'], HAS.constant)
  return bits
}

/** Whether a schema has one of the keywords. */
export function hasAny(schema: Record<string, unknown>, keywords: readonly string[]): boolean {
  for (const keyword of keywords) if (schema[keyword] !== undefined) return true
  return false
}
