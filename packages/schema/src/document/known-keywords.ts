import type { Dialect } from './dialect.ts'
import { isExtensionKeyword, keywordsOf, namesOf } from './vocabulary.ts'
import { isSchemaObject } from '../guards.ts'

/** Keywords of the baseline, and two that Ajv reads but that do not check a value. */
export const KNOWN_KEYWORDS: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  'draft-07': knownIn('draft-07'),
  '2020-12': knownIn('2020-12'),
}

function knownIn(dialect: Dialect): Set<string> {
  return new Set([...keywordsOf(dialect).map(({ name }) => name), '$vocabulary', '$async'])
}

/** The formats of `ajv-formats`, listed here so that the check of a schema loads no module. */
export const KNOWN_FORMATS: ReadonlySet<string> = new Set(
  (
    'date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4 ' +
    'ipv6 regex uuid json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double ' +
    'password binary'
  ).split(' '),
)

/** Whether the baseline has a format. */
export function isKnownFormat(format: string): boolean {
  return KNOWN_FORMATS.has(format)
}

/** Keywords that can reject a value, as Ajv counts them: a schema without any accepts everything. */
const RULES: ReadonlySet<string> = new Set(namesOf(({ role }) => role === 'rule'))

/** Rules that only Ajv checks; `id` is the draft-4 name of `$id`, which Ajv rejects. */
const AJV_RULES: ReadonlySet<string> = new Set(['id', ...namesOf(({ role }) => role === 'ajv-rule')])

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

/** Only Ajv implements `$vocabulary` and `$async`. */
const ONLY_AJV: ReadonlySet<string> = new Set([...AJV_RULES, '$vocabulary', '$async'])

/**
 * Returns the first keyword of a schema that only Ajv may know.
 * @param isIgnored - whether a keyword that the vocabulary does not have has no effect
 */
export function unknownKeywordIn(
  schema: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  isIgnored: (keyword: string) => boolean,
): string | undefined {
  return Object.keys(schema).find((keyword) => {
    if (ONLY_AJV.has(keyword)) return true
    return !KNOWN_KEYWORDS[dialect].has(keyword) && !isExtensionKeyword(keyword) && !isIgnored(keyword)
  })
}
