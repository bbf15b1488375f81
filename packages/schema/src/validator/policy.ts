import type { Options } from 'ajv'
import type { AjvSettings } from '../options.ts'
import type { AcceptorPolicy } from './acceptor/context.ts'
import { baselineAjvOptions } from './ajv/baseline.ts'
import { CoercerTable } from './acceptor/coercers.ts'
import type { CoercionMode } from '../runtime/coerce.ts'

/** What the application's Ajv settings mean for the engine. */
export interface ValidatorPolicy {
  /** Undefined: no acceptor, Ajv sees every value. */
  readonly acceptor: AcceptorPolicy | undefined
  /** True when our own check of schemas says what Ajv would say; else Ajv compiles while the application starts. */
  readonly checked: boolean
  /** What guards the expressions of schemas; undefined where the application has an engine of its own for them. */
  readonly patterns: { readonly maxLengthGuards: boolean } | undefined
  /** True when own keywords may refer to schemas in ways of their own: they get all visible ones. */
  readonly opaque: boolean
}

/** Options that change which schemas Ajv accepts, or only how it words and logs; acceptors do as well with them. */
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

/** Options that acceptors follow. */
const FOLLOWED = new Set<string>([
  'coerceTypes',
  'useDefaults',
  'removeAdditional',
  'allErrors',
] satisfies (keyof Options)[])

/** Options with which schemas may come from elsewhere, or keywords refer to them. */
const OPAQUE = new Set<string>([
  'keywords',
  'schemas',
  'uriResolver',
  'schemaId',
  'loadSchema',
  'meta',
] satisfies (keyof Options)[])

/** Reads the settings once. */
export function readPolicy({
  customOptions = {},
  plugins = [],
  onCreate,
  mode,
}: AjvSettings = {}): ValidatorPolicy {
  const names = Object.entries(customOptions).flatMap(([name, value]) => (value === undefined ? [] : name))
  const extended = plugins.length > 0 || onCreate !== undefined || mode !== undefined
  const known = names.every((name) => COMPILE_ONLY.has(name) || FOLLOWED.has(name))
  const acceptor = extended || !known ? undefined : followed(customOptions)
  return {
    acceptor,
    checked:
      !extended && names.every((name) => FOLLOWED.has(name) || name === 'verbose' || name === 'messages'),
    patterns:
      mode === undefined && customOptions.code?.regExp === undefined
        ? { maxLengthGuards: customOptions.allErrors !== true }
        : undefined,
    opaque: extended || names.some((name) => OPAQUE.has(name)),
  }
}

function followed(customOptions: Options): AcceptorPolicy | undefined {
  const { coerceTypes, useDefaults, removeAdditional, allErrors } = {
    ...baselineAjvOptions,
    ...customOptions,
  }
  // Both give and take by rules of their own.
  if (useDefaults === 'empty' || removeAdditional === 'failing') return undefined
  return {
    coercers: new CoercerTable(coercionMode(coerceTypes)),
    defaults: useDefaults === true,
    remove: removeAdditional ?? false,
    unions: allErrors !== true,
    shared: new WeakMap(),
  }
}

function coercionMode(mode: Options['coerceTypes']): CoercionMode {
  return mode === 'array' ? mode : mode === true
}
