import { createRequire } from 'node:module'
import type { Ajv, Options, ValidateFunction } from 'ajv'

/*
 * Expensive, often unused modules, loaded on first use. They are loaded synchronously, because compilation is
 * synchronous; no other file imports them by value.
 *
 * Each call of `require` has a literal name, so that bundlers find the modules. The build replaces this `require`
 * with that of CommonJS.
 */
const require: RequireOwn = createRequire(import.meta.url)

/** `require`, with the types of these modules. */
interface RequireOwn {
  (name: 'ajv'): typeof import('ajv')
  (name: 'ajv/dist/2020'): ReturnType<typeof loadAjv2020>
  (name: 'ajv/dist/jtd'): ReturnType<typeof loadAjvJtd>
  (name: 'ajv/dist/runtime/equal'): ReturnType<typeof loadAjvEqual>
  (name: 'ajv/dist/standalone'): ReturnType<typeof loadAjvStandalone>
  (name: 'ajv-formats'): typeof import('ajv-formats')
  (name: 'ajv-formats/dist/formats'): typeof import('ajv-formats/dist/formats.js')
  (name: 'fast-uri'): typeof import('fast-uri')
}

/** Ajv for JSON Schema draft-07. */
export function loadAjv(): typeof import('ajv') {
  return require('ajv')
}

/** Ajv for JSON Schema 2020-12, typed with the methods that both variants have. */
export function loadAjv2020(): { readonly default: new (options: Options) => Ajv } {
  return require('ajv/dist/2020')
}

/** Ajv for JSON Type Definition, typed with the methods that both variants have. */
export function loadAjvJtd(): { readonly default: new (options: Options) => Ajv } {
  return require('ajv/dist/jtd')
}

/** Ajv's comparison of JSON values; its published type is not callable. */
export function loadAjvEqual(): { readonly default: (left: unknown, right: unknown) => boolean } {
  return require('ajv/dist/runtime/equal')
}

/** Prints the functions of an Ajv instance as modules. */
export function loadAjvStandalone(): {
  readonly default: (ajv: Ajv, validate: ValidateFunction) => string
} {
  return require('ajv/dist/standalone')
}

/** The plugin that adds the usual formats to an Ajv instance. */
export function loadAjvFormats(): typeof import('ajv-formats') {
  return require('ajv-formats')
}

/** The formats themselves; this does not load Ajv. */
export function loadFormats(): typeof import('ajv-formats/dist/formats.js') {
  return require('ajv-formats/dist/formats')
}

/** The format with a name; undefined if there is none. */
export function loadFormat(name: string): unknown {
  const formats: Readonly<Record<string, unknown>> = loadFormats().fullFormats
  return Object.hasOwn(formats, name) ? formats[name] : undefined
}

/** The URI resolver of the baseline. */
export function loadFastUri(): typeof import('fast-uri') {
  return require('fast-uri')
}
