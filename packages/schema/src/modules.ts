import { createRequire } from 'node:module'

/**
 * Modules that are dear to load and often not needed: they are loaded on first use, synchronously,
 * because compilation is synchronous. Nothing else imports them by value.
 */
const require = createRequire(import.meta.url)

/** Ajv for JSON Schema draft-7. */
export function loadAjv(): typeof import('ajv') {
  return require('ajv')
}

/** Ajv for JSON Type Definition. */
export function loadAjvJtd(): typeof import('ajv/dist/jtd.js') {
  return require('ajv/dist/jtd')
}

/** The plugin that adds the usual formats to an Ajv instance. */
export function loadAjvFormats(): typeof import('ajv-formats') {
  return require('ajv-formats')
}

/** The formats themselves; this does not load Ajv. */
export function loadFormats(): typeof import('ajv-formats/dist/formats.js') {
  return require('ajv-formats/dist/formats')
}

/** The URI resolver of the baseline. */
export function loadFastUri(): typeof import('fast-uri') {
  return require('fast-uri')
}

/** Ajv's comparison of JSON values; its published type is not callable. */
export function loadAjvEqual(): { readonly default: (left: unknown, right: unknown) => boolean } {
  return require('ajv/dist/runtime/equal')
}
