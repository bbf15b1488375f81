import { isSchemaObject } from '../guards.ts'
import type { Dialect } from './dialect.ts'
import { isExtensionKeyword, keywordsOf, namesOf } from './vocabulary.ts'

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

/** Whether a schema has a rule other than `$ref`. */
export function hasRuleBesideReference(schema: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(schema).some((keyword) => keyword !== '$ref' && isRule(keyword))
}

const KNOWN: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  'draft-07': knownIn('draft-07'),
  '2020-12': knownIn('2020-12'),
}

function knownIn(dialect: Dialect): ReadonlySet<string> {
  return new Set(keywordsOf(dialect).flatMap(({ name, role }) => (role === 'ajv-rule' ? [] : name)))
}

/** The first keyword of a schema that only Ajv can know. */
export function unknownKeywordIn(
  schema: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): string | undefined {
  return Object.keys(schema).find((keyword) => !KNOWN[dialect].has(keyword) && !isExtensionKeyword(keyword))
}
