import type { AjvSettings, SchemaEngineOptions } from '../options.ts'
import type { WalkSettings } from '../walk/settings.ts'
import type { Options } from 'ajv'
import { readRules, STRICT_RULES, type SchemaRules } from '../document/schema-rules.ts'
import type { ExactIntegers } from '../document/json-types.ts'

/** The consequences of the application's Ajv settings. */
export interface ValidatorPolicy {
  /** The settings of looks and walks; undefined if Ajv must get every value. */
  readonly settings: WalkSettings | undefined
  /** The setting that makes Ajv decide about all values, by its name in messages; undefined if there is none. */
  readonly onlyAjv: string | undefined
  /**
   * Whether the engine's check of schemas has Ajv's results, except for those with keywords or formats of the
   * application; otherwise Ajv compiles while the application starts.
   */
  readonly checked: boolean
  /** The same as {@link checked}, except for the checks of strict mode, which the application has disabled. */
  readonly lenient: boolean
  /** The keywords and formats that schemas may have. */
  readonly rules: SchemaRules
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

/** Options that change no verdict, with these values. Ajv only logs with `'log'`, and has no logger by default. */
const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  verbose: () => true,
  messages: () => true,
  formats: () => true,
  keywords: () => true,
  allowMatchingProperties: () => true,
  // It only relaxes `strictTypes`.
  allowUnionTypes: () => true,
  strictTypes: isQuiet,
  strictTuples: isQuiet,
  strictRequired: isQuiet,
  logger: (value) => value === false,
} satisfies { readonly [Name in keyof Options]?: (value: unknown) => boolean }

/** The default options of every validator; `ajv.customOptions` overrides them. */
export const baselineAjvOptions: Readonly<Options> = Object.freeze({
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  // With true, a single request could make the server collect errors without limit.
  allErrors: false,
})

/** What options have that are not given: the values that the engine gives Ajv, or Ajv's own ones. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map(
  Object.entries({
    ...baselineAjvOptions,
    $data: false,
    allowDate: false,
    discriminator: false,
    inlineRefs: true,
    int32range: true,
    loopEnum: 200,
    loopRequired: 200,
    meta: true,
    ownProperties: false,
    passContext: false,
    unicodeRegExp: true,
    validateFormats: true,
    validateSchema: true,
  } satisfies Options & { allowDate?: boolean; int32range?: boolean }),
)

/** Options that turn Ajv's strict mode off; without it a logger changes nothing but what is logged. */
const LENIENT: typeof PLAIN = { ...PLAIN, strict: isQuiet, strictSchema: isQuiet, logger: () => true }

function isQuiet(value: unknown): boolean {
  return value === false || value === 'log'
}

/** Options that are followed unless they redefine what the engine knows. */
const DEFINING = new Set<string>(['formats', 'keywords'] satisfies (keyof Options)[])

/** Options that may add schemas, or change how schemas refer to each other. */
const OPAQUE = new Set<string>([
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
  const given = entriesOf(customOptions)
  const extended = plugins.length > 0 || onCreate !== undefined || mode !== undefined
  const isLenient = isQuiet(customOptions.strictSchema ?? customOptions.strict) && !logs(customOptions)
  const rules = extended ? undefined : readRules(customOptions, isLenient)
  const known = given.every(
    ([name]) => COMPILE_ONLY.has(name) || FOLLOWED.has(name) || Object.hasOwn(PLAIN, name),
  )
  const isFollowed = rules !== undefined && known && !hasOwnVariant(customOptions)
  const follows = (table: typeof PLAIN): boolean =>
    isFollowed && given.every(([name, value]) => FOLLOWED.has(name) || isAmong(table, name, value))
  const checked = follows(PLAIN)
  const lenient = isLenient && follows(LENIENT)
  return {
    settings: isFollowed ? readWalkSettings(customOptions, own) : undefined,
    checked,
    onlyAjv: checked || lenient ? undefined : nameOnlyAjv(settings),
    lenient,
    rules: rules ?? STRICT_RULES,
    patterns:
      mode === undefined && customOptions.code?.regExp === undefined
        ? { maxLengthGuards: customOptions.allErrors !== true }
        : undefined,
    opaque: rules === undefined || rules.keywords.size > 0 || given.some(([name]) => OPAQUE.has(name)),
  }
}

function entriesOf(options: Options): [string, unknown][] {
  return Object.entries<unknown>({ ...options }).filter(
    ([name, value]) => value !== undefined && !(DEFAULTS.has(name) && DEFAULTS.get(name) === value),
  )
}

/** Whether Ajv logs what it would otherwise refuse. */
function logs({ strict, logger }: Options): boolean {
  return strict !== false && logger !== undefined && logger !== false
}

function isAmong(table: typeof PLAIN, name: string, value: unknown): boolean {
  return Object.hasOwn(table, name) && table[name]?.(value) === true
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
    exactIntegers: exactIntegersOf(own.integers),
    inlineRefs: inlineRefs ?? true,
    loopRequired: loopRequired ?? 200,
  }
}

/** Returns which integers must be exact. */
export function exactIntegersOf(integers: SchemaEngineOptions['integers']): ExactIntegers {
  return integers === 'bigint' ? 'notInt64' : integers === 'exact'
}

function nameOnlyAjv({ customOptions = {}, plugins = [], onCreate, mode }: AjvSettings): string {
  if (plugins.length > 0) return 'ajv.plugins'
  if (onCreate !== undefined) return 'ajv.onCreate'
  if (mode !== undefined) return `ajv.mode: '${mode}'`
  const others = entriesOf(customOptions).filter(([one]) => !FOLLOWED.has(one))
  const decisive = others.find(([one, value]) => !isAmong(PLAIN, one, value))
  const variant = customOptions.useDefaults === 'empty' ? 'useDefaults' : 'removeAdditional'
  const defining = hasOwnVariant(customOptions) ? undefined : others.find(([one]) => DEFINING.has(one))
  const [name] = decisive ?? defining ?? [variant]
  return `ajv.customOptions.${name}`
}
