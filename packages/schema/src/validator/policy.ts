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

/** The default options of every validator; `ajv.customOptions` overrides them. */
export const baselineAjvOptions: Readonly<Options> = Object.freeze({
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  // With true, a single request could make the server collect errors without limit.
  allErrors: false,
})

/** What the engine does about an option of Ajv. */
interface OptionRule {
  /**
   * `followed`: looks and walks implement it. `compiling`: it only changes which schemas Ajv accepts, or its messages and
   * logs, and looks work with it. `defining`: it is followed unless it redefines what the engine knows. `unknown`: Ajv
   * must get every value, unless the option has its default.
   */
  readonly kind: 'followed' | 'compiling' | 'defining' | 'unknown'
  /** What the option has that is not given: the value that the engine gives Ajv, or Ajv's own one. */
  readonly default?: unknown
  /** Whether a value changes no verdict. Ajv only logs with `'log'`, and has no logger by default. */
  readonly isPlain?: (value: unknown) => boolean
  /** The same where Ajv's strict mode is off: without it a logger changes nothing but what is logged. */
  readonly isLenient?: (value: unknown) => boolean
  /** Whether it may add schemas, or change how schemas refer to each other. */
  readonly isOpaque?: true
}

const isAny = (): boolean => true
const isQuiet = (value: unknown): boolean => value === false || value === 'log'

const OPTIONS: ReadonlyMap<string, OptionRule> = new Map<string, OptionRule>(
  Object.entries({
    $data: { kind: 'unknown', default: false },
    addUsedSchema: { kind: 'compiling', default: baselineAjvOptions.addUsedSchema },
    allErrors: { kind: 'followed', default: baselineAjvOptions.allErrors },
    allowDate: { kind: 'unknown', default: false },
    allowMatchingProperties: { kind: 'compiling', isPlain: isAny },
    // It only relaxes `strictTypes`.
    allowUnionTypes: { kind: 'compiling', isPlain: isAny },
    coerceTypes: { kind: 'followed', default: baselineAjvOptions.coerceTypes },
    discriminator: { kind: 'unknown', default: false },
    formats: { kind: 'defining', isPlain: isAny },
    inlineRefs: { kind: 'compiling', default: true },
    int32range: { kind: 'unknown', default: true },
    keywords: { kind: 'defining', isPlain: isAny },
    loadSchema: { kind: 'unknown', isOpaque: true },
    logger: { kind: 'compiling', isPlain: (value) => value === false, isLenient: isAny },
    loopEnum: { kind: 'compiling', default: 200 },
    loopRequired: { kind: 'compiling', default: 200 },
    messages: { kind: 'compiling', isPlain: isAny },
    meta: { kind: 'unknown', default: true, isOpaque: true },
    ownProperties: { kind: 'unknown', default: false },
    passContext: { kind: 'unknown', default: false },
    removeAdditional: { kind: 'followed', default: baselineAjvOptions.removeAdditional },
    schemaId: { kind: 'unknown', isOpaque: true },
    schemas: { kind: 'unknown', isOpaque: true },
    strict: { kind: 'compiling', isLenient: isQuiet },
    strictRequired: { kind: 'compiling', isPlain: isQuiet },
    strictSchema: { kind: 'compiling', isLenient: isQuiet },
    strictTuples: { kind: 'compiling', isPlain: isQuiet },
    strictTypes: { kind: 'compiling', isPlain: isQuiet },
    unicodeRegExp: { kind: 'unknown', default: true },
    uriResolver: { kind: 'unknown', isOpaque: true },
    useDefaults: { kind: 'followed', default: baselineAjvOptions.useDefaults },
    validateFormats: { kind: 'unknown', default: true },
    validateSchema: { kind: 'compiling', default: true },
    verbose: { kind: 'compiling', isPlain: isAny },
  } satisfies { readonly [Name in keyof Options | 'allowDate' | 'int32range']?: OptionRule }),
)

/** An option that is given, with another value than its default. */
interface GivenOption extends OptionRule {
  readonly name: string
  readonly value: unknown
}

/** Options of the engine that Ajv does not have. */
export type OwnOptions = Pick<SchemaEngineOptions, 'unionRemoval' | 'unionErrors' | 'errorLimit' | 'integers'>

/** Reads the settings once. */
export function readPolicy(settings: AjvSettings = {}, own: OwnOptions = {}): ValidatorPolicy {
  const { customOptions = {}, plugins = [], onCreate, mode } = settings
  const given = givenIn(customOptions)
  const extended = plugins.length > 0 || onCreate !== undefined || mode !== undefined
  const isLenient = isQuiet(customOptions.strictSchema ?? customOptions.strict) && !logs(customOptions)
  const rules = extended ? undefined : readRules(customOptions, isLenient)
  const known = given.every(({ kind }) => kind !== 'unknown')
  const isFollowed = rules !== undefined && known && !hasOwnVariant(customOptions)
  const checked = isFollowed && given.every(isHarmless)
  const lenient = isLenient && isFollowed && given.every(isHarmlessIfLenient)
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
    opaque: rules === undefined || rules.keywords.size > 0 || given.some(({ isOpaque }) => isOpaque),
  }
}

function givenIn(options: Options): GivenOption[] {
  return Object.entries<unknown>({ ...options }).flatMap(([name, value]) => {
    const rule = OPTIONS.get(name) ?? { kind: 'unknown' }
    return value === undefined || value === rule.default ? [] : { name, value, ...rule }
  })
}

function isHarmless({ kind, value, isPlain }: GivenOption): boolean {
  return kind === 'followed' || isPlain?.(value) === true
}

function isHarmlessIfLenient({ kind, value, isPlain, isLenient = isPlain }: GivenOption): boolean {
  return kind === 'followed' || isLenient?.(value) === true
}

/** Whether Ajv logs what it would otherwise refuse: `logger` is given, and a check of strict mode is set to `'log'`. */
function logs({ logger, strict, strictSchema, strictTypes, strictTuples, strictRequired }: Options): boolean {
  const checks = [
    strictSchema ?? strict,
    strictTypes ?? strict ?? 'log',
    strictTuples ?? strict ?? 'log',
    strictRequired ?? strict,
  ]
  return Boolean(logger) && checks.includes('log')
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
  const given = givenIn(customOptions)
  const decisive = given.find((option) => !isHarmless(option))
  const variant = customOptions.useDefaults === 'empty' ? 'useDefaults' : 'removeAdditional'
  const isDefining = ({ kind }: GivenOption): boolean => kind === 'defining' && !hasOwnVariant(customOptions)
  return `ajv.customOptions.${(decisive ?? given.find(isDefining))?.name ?? variant}`
}
