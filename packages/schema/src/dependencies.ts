import { createRequire } from 'node:module'
import type { Ajv, Options } from 'ajv'

/*
 * Modules that are dear to load and often not needed. They are loaded on first use, synchronously,
 * because compilation is synchronous; nothing else imports them by value.
 */

const require = createRequire(import.meta.url)

/** `require` knows no types: each caller states those of the module it names. */
function load<Module>(id: string): Module {
  // oxlint-disable-next-line typescript/no-unsafe-return -- stated by the caller, see above
  return require(id)
}

/** Ajv for JSON Schema draft-7. */
export function loadAjv(): typeof import('ajv') {
  return load('ajv')
}

/** Ajv for JSON Type Definition, typed by the methods that both flavours have. */
export function loadAjvJtd(): { readonly default: new (options: Options) => Ajv } {
  return load('ajv/dist/jtd')
}

/** Ajv's comparison of JSON values; its published type is not callable. */
export function loadAjvEqual(): { readonly default: (left: unknown, right: unknown) => boolean } {
  return load('ajv/dist/runtime/equal')
}

/** The plugin that adds the usual formats to an Ajv instance. */
export function loadAjvFormats(): typeof import('ajv-formats') {
  return load('ajv-formats')
}

/** The formats themselves; this does not load Ajv. */
export function loadFormats(): typeof import('ajv-formats/dist/formats.js') {
  return load('ajv-formats/dist/formats')
}

/** The parser of regular expressions. */
export function loadRegexpp(): typeof import('@eslint-community/regexpp') {
  return load('@eslint-community/regexpp')
}

/** The URI resolver of the baseline. */
export function loadFastUri(): typeof import('fast-uri') {
  return load('fast-uri')
}
