import { isSchemaObject } from '../guards.ts'
import type { Dialect } from './dialect.ts'
import { isKnownKeyword } from './known-keywords.ts'
import { isExtensionKeyword, namesOf } from './vocabulary.ts'

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

/** What `$vocabulary` and `$async` say only Ajv knows, too. */
const ONLY_AJV: ReadonlySet<string> = new Set([...AJV_RULES, '$vocabulary', '$async'])

/** The first keyword of a schema that only Ajv can know. */
export function unknownKeywordIn(
  schema: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): string | undefined {
  return Object.keys(schema).find(
    (keyword) => (ONLY_AJV.has(keyword) || !isKnownKeyword(keyword, dialect)) && !isExtensionKeyword(keyword),
  )
}
