import type { Options } from 'ajv'
import { isKnownFormat, KNOWN_KEYWORDS } from './known-keywords.ts'
import { DIALECTS } from './dialect.ts'
import { isExtensionKeyword, namesOf } from './vocabulary.ts'

/** What the application's options of Ajv change about the keywords and formats that schemas may have. */
export interface SchemaRules {
  /** Keywords that the application allows without a meaning. */
  readonly annotations: ReadonlySet<string>
  /** Keywords that the application defines: Ajv decides about schemas that have one. */
  readonly keywords: ReadonlySet<string>
  /** Formats that the application allows without a test. */
  readonly untestedFormats: ReadonlySet<string>
  /** Formats that the application defines: Ajv decides about schemas that have one. */
  readonly formats: ReadonlySet<string>
  /** Whether other keywords have no effect, instead of failing the boot. */
  readonly ignoresKeywords: boolean
  /** Whether other formats have no effect, instead of failing the boot. */
  readonly ignoresFormats: boolean
  /** Whether an expression of `patternProperties` may match a name of `properties`. */
  readonly allowsOverlap: boolean
  /** Whether values get the defaults of their schemas. Otherwise, none has a place where it is ignored. */
  readonly fillsDefaults: boolean
}

/** The rules without options. */
export const STRICT_RULES: SchemaRules = {
  annotations: new Set(),
  keywords: new Set(),
  untestedFormats: new Set(),
  formats: new Set(),
  ignoresKeywords: false,
  ignoresFormats: false,
  allowsOverlap: false,
  fillsDefaults: true,
}

/** Annotations of OpenAPI and the JSON Schema vocabularies that Ajv gets as keywords. */
export const ADDED_KEYWORDS: readonly string[] = Object.freeze(namesOf(({ isAdded }) => isAdded === true))

/** The names that Ajv takes for keywords. */
const KEYWORD_NAME = /^[a-z_$][\w$:-]*$/i

/**
 * Reads the options of Ajv that define keywords and formats. Their names are new, so that schemas without them mean
 * the same as without the options.
 *
 * @param isLenient - whether Ajv's strict mode is off
 * @returns undefined if an option changes what the engine knows, or cannot be read
 */
export function readRules(
  {
    keywords = [],
    formats = {},
    logger,
    strict,
    strictSchema,
    allowMatchingProperties,
    useDefaults = true,
  }: Options,
  isLenient: boolean,
): SchemaRules | undefined {
  if (!Array.isArray(keywords)) return undefined
  const annotations = keywords.filter((given) => typeof given === 'string')
  const defined = keywords.flatMap((given) => (typeof given === 'string' ? [] : given.keyword))
  const names = [...annotations, ...defined]
  if (new Set(names).size < names.length) return undefined
  if (!annotations.every((name) => isNew(name) || ADDED_KEYWORDS.includes(name))) return undefined
  if (!defined.every(isNew) || Object.keys(formats).some(isKnownFormat)) return undefined
  const formatNames = (isUntested: boolean): string[] =>
    Object.keys(formats).filter((name) => (formats[name] === true) === isUntested)
  return {
    annotations: new Set(annotations),
    keywords: new Set(defined),
    untestedFormats: new Set(formatNames(true)),
    formats: new Set(formatNames(false)),
    ignoresKeywords: isLenient,
    // Ajv logs them, and refuses them with `'log'`.
    ignoresFormats: (strictSchema ?? strict) === false && (logger === undefined || logger === false),
    allowsOverlap: allowMatchingProperties === true,
    fillsDefaults: Boolean(useDefaults),
  }
}

function isNew(name: unknown): boolean {
  return typeof name === 'string' && KEYWORD_NAME.test(name) && !isExtensionKeyword(name) && !isKeyword(name)
}

/**
 * Whether a keyword that the dialect of a schema does not have has no effect, so that the schema may have it. Those of
 * the other dialect are left to Ajv.
 */
export function isIgnoredKeyword(keyword: string, rules: SchemaRules): boolean {
  if (rules.annotations.has(keyword)) return true
  return rules.ignoresKeywords && !rules.keywords.has(keyword) && !isKeyword(keyword)
}

function isKeyword(name: string): boolean {
  return DIALECTS.some((dialect) => KNOWN_KEYWORDS[dialect].has(name))
}

/** Whether a format that the engine does not know has no effect, so that a schema may have it. */
export function isIgnoredFormat(format: string, rules: SchemaRules): boolean {
  return rules.untestedFormats.has(format) || (rules.ignoresFormats && !rules.formats.has(format))
}
