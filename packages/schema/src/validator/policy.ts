import type { Options } from 'ajv'
import type { AjvSettings, UnionRemoval } from '../options.ts'
import type { AcceptorPolicy } from './acceptor/policy.ts'
import { baselineAjvOptions } from './ajv/baseline.ts'
import { CoercerTable } from './acceptor/coercers.ts'
import type { CoercionMode } from '../runtime/coerce.ts'

/** The consequences of the application's Ajv settings. */
export interface ValidatorPolicy {
  /** Undefined when Ajv must see every value. */
  readonly acceptor: AcceptorPolicy | undefined
  /** The setting that makes Ajv decide about all values, as messages name it; undefined when there is none. */
  readonly onlyAjv: string | undefined
  /** Our own check of schemas has the results of Ajv; else Ajv compiles while the application starts. */
  readonly checked: boolean
  /**
   * As with {@link checked}, but for the checks of strict mode, which the application has switched off. Schemas of
   * 2020-12 are then decided by our own code nevertheless, which is nearer to the specification.
   */
  readonly lenient: boolean
  /**
   * How regular expressions are checked; undefined where the application has a regular expression engine of its own.
   */
  readonly patterns: { readonly maxLengthGuards: boolean } | undefined
  /**
   * Keywords of the application may refer to schemas in ways of their own, so Ajv gets all visible schemas.
   */
  readonly opaque: boolean
}

/**
 * Options that change only which schemas Ajv accepts, or its messages and logs. Acceptors work with any of them.
 */
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

/** Options that acceptors implement. */
const FOLLOWED = new Set<string>([
  'coerceTypes',
  'useDefaults',
  'removeAdditional',
  'allErrors',
] satisfies (keyof Options)[])

/** Options that change messages alone. */
const PLAIN = new Set<string>(['verbose', 'messages'] satisfies (keyof Options)[])

/** Those, and options that do nothing without strict mode. */
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

/** Reads the settings once. */
export function readPolicy(settings: AjvSettings = {}, unionRemoval: UnionRemoval = 'each'): ValidatorPolicy {
  const { customOptions = {}, plugins = [], onCreate, mode } = settings
  const names = Object.entries(customOptions).flatMap(([name, value]) => (value === undefined ? [] : name))
  const extended = plugins.length > 0 || onCreate !== undefined || mode !== undefined
  const known = names.every((name) => COMPILE_ONLY.has(name) || FOLLOWED.has(name))
  const checked = !extended && names.every((name) => FOLLOWED.has(name) || PLAIN.has(name))
  const lenient =
    !extended &&
    customOptions.strict === false &&
    names.every((name) => FOLLOWED.has(name) || LENIENT.has(name))
  const isAjvDecider = !checked && !lenient
  const acceptor = extended || !known ? undefined : followed(customOptions, unionRemoval, isAjvDecider)
  return {
    acceptor,
    checked,
    onlyAjv: checked && acceptor !== undefined ? undefined : nameOnlyAjv(settings),
    lenient,
    patterns:
      mode === undefined && customOptions.code?.regExp === undefined
        ? { maxLengthGuards: customOptions.allErrors !== true }
        : undefined,
    opaque: extended || names.some((name) => OPAQUE.has(name)),
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

function followed(
  customOptions: Options,
  unionRemoval: UnionRemoval,
  isAjvDecider: boolean,
): AcceptorPolicy | undefined {
  const { coerceTypes, useDefaults, removeAdditional, allErrors } = {
    ...baselineAjvOptions,
    ...customOptions,
  }
  // Acceptors do not implement these two variants.
  if (useDefaults === 'empty' || removeAdditional === 'failing') return undefined
  return {
    coercers: new CoercerTable(coercionMode(coerceTypes)),
    defaults: useDefaults === true,
    remove: removeAdditional ?? false,
    removesByBranch: unionRemoval === 'branch' && removeAdditional === true,
    unions: allErrors !== true,
    isAjvDecider,
    shared: new WeakMap(),
  }
}

function coercionMode(mode: Options['coerceTypes']): CoercionMode {
  return mode === 'array' ? mode : mode === true
}
