import type { AjvSettings, SchemaEngineOptions } from '../options.ts'
import type { WalkSettings } from '../walk/settings.ts'
import type { Options } from 'ajv'
import { namesOf } from '../document/vocabulary.ts'

/** The consequences of the application's Ajv settings. */
export interface ValidatorPolicy {
  /** The settings of looks and walks; undefined if Ajv must get every value. */
  readonly settings: WalkSettings | undefined
  /** The setting that makes Ajv decide about all values, by its name in messages; undefined if there is none. */
  readonly onlyAjv: string | undefined
  /** Whether the engine's check of schemas has Ajv's results; otherwise Ajv compiles while the application starts. */
  readonly checked: boolean
  /**
   * The same as {@link checked}, except for the checks of strict mode, which the application has disabled. The
   * engine's own code still decides for schemas of 2020-12, since it is closer to the specification.
   */
  readonly lenient: boolean
  /** How regular expressions are checked; undefined if the application has its own regular expression engine. */
  readonly patterns: { readonly maxLengthGuards: boolean } | undefined
  /** Whether keywords of the application may refer to schemas in their own ways: Ajv then gets all visible ones. */
  readonly opaque: boolean
}

/** Options that only change which schemas Ajv accepts, or its messages and logs. Looks work with any of them. */
const COMPILE_ONLY = new Set<string>([
  'strict',
  'strictSchema',
  'strictTypes',
  'strictTuples',
  'strictRequired',
  'allowUnionTypes',
  'allowMatchingProperties',
  'validateSchema',
  'messages',
  'verbose',
  'logger',
  'inlineRefs',
  'addUsedSchema',
  'loopRequired',
  'loopEnum',
] satisfies (keyof Options)[])

/** Options that looks and walks implement. */
const FOLLOWED = new Set<string>([
  'coerceTypes',
  'useDefaults',
  'removeAdditional',
  'allErrors',
] satisfies (keyof Options)[])

/** Options that only change messages. */
const PLAIN = new Set<string>(['verbose', 'messages'] satisfies (keyof Options)[])

/** The same, with options that do nothing without strict mode. */
const LENIENT = new Set<string>([
  ...PLAIN,
  ...(['strict', 'logger', 'allowUnionTypes', 'allowMatchingProperties'] satisfies (keyof Options)[]),
])

/** Options that may add schemas, or keywords that refer to schemas. */
const OPAQUE = new Set<string>([
  'keywords',
  'schemas',
  'uriResolver',
  'schemaId',
  'loadSchema',
  'meta',
] satisfies (keyof Options)[])

/** Options of the engine that Ajv does not have. */
export type OwnOptions = Pick<SchemaEngineOptions, 'unionRemoval' | 'unionErrors' | 'errorLimit' | 'integers'>

/** Reads the settings once. */
export function readPolicy(settings: AjvSettings = {}, own: OwnOptions = {}): ValidatorPolicy {
  const { customOptions = {}, plugins = [], onCreate, mode } = settings
  const names = Object.entries(customOptions).flatMap(([name, value]) => (value === undefined ? [] : name))
  const extended = plugins.length > 0 || onCreate !== undefined || mode !== undefined
  const known = names.every((name) => COMPILE_ONLY.has(name) || FOLLOWED.has(name))
  const checked = !extended && names.every((name) => FOLLOWED.has(name) || PLAIN.has(name))
  const lenient =
    !extended &&
    customOptions.strict === false &&
    names.every((name) => FOLLOWED.has(name) || LENIENT.has(name))
  const isFollowed = !extended && known && !hasOwnVariant(customOptions)
  return {
    settings: isFollowed ? readWalkSettings(customOptions, own) : undefined,
    checked,
    onlyAjv: checked && isFollowed ? undefined : nameOnlyAjv(settings),
    lenient,
    patterns:
      mode === undefined && customOptions.code?.regExp === undefined
        ? { maxLengthGuards: customOptions.allErrors !== true }
        : undefined,
    opaque: extended || names.some((name) => OPAQUE.has(name)),
  }
}

function hasOwnVariant({ useDefaults, removeAdditional }: Options): boolean {
  return useDefaults === 'empty' || removeAdditional === 'failing'
}

/** Reads the options of Ajv that looks and walks implement. */
export function readWalkSettings(customOptions: Options = {}, own: OwnOptions = {}): WalkSettings {
  const options = { ...baselineAjvOptions, ...customOptions }
  const { coerceTypes, removeAdditional, inlineRefs, loopRequired, strict, strictNumbers } = options
  return {
    coercion: coerceTypes === 'array' ? 'array' : coerceTypes === true,
    defaults: options.useDefaults === true,
    remove: removeAdditional === 'all' ? 'all' : removeAdditional === true,
    allErrors: options.allErrors === true,
    errorLimit: options.allErrors === true ? undefined : own.errorLimit,
    removesByBranch: own.unionRemoval === 'branch' && removeAdditional === true,
    narrowsUnions: own.unionErrors === 'branch',
    verbose: options.verbose === true,
    messages: options.messages !== false,
    finiteNumbers: Boolean(strictNumbers ?? strict ?? true),
    exactIntegers: own.integers === 'exact',
    inlineRefs: inlineRefs ?? true,
    loopRequired: loopRequired ?? 200,
  }
}

function nameOnlyAjv({ customOptions = {}, plugins = [], onCreate, mode }: AjvSettings): string {
  if (plugins.length > 0) return 'ajv.plugins'
  if (onCreate !== undefined) return 'ajv.onCreate'
  if (mode !== undefined) return `ajv.mode: '${mode}'`
  const name =
    Object.keys(customOptions).find((one) => !FOLLOWED.has(one) && !PLAIN.has(one)) ??
    (customOptions.useDefaults === 'empty' ? 'useDefaults' : 'removeAdditional')
  return `ajv.customOptions.${name}`
}

/** The default options of every validator; `ajv.customOptions` overrides them. */
export const baselineAjvOptions: Readonly<Options> = Object.freeze({
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  // With true, a single request could make the server collect errors without limit.
  allErrors: false,
})

/** Annotations of OpenAPI and the JSON Schema vocabularies that Ajv gets as keywords. */
export const ADDED_KEYWORDS: readonly string[] = Object.freeze(namesOf(({ isAdded }) => isAdded === true))
