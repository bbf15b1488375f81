// Packages that ship no declarations, or ones that do not hold for ES modules.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** `ajv-merge-patch` as published: a plugin of Ajv. */
export const ajvMergePatch: unknown = require('ajv-merge-patch')

const localizers: unknown = require('ajv-i18n')

/** Rewrites the messages of validation errors, with `ajv-i18n` as published. */
export function localize(language: string, errors: unknown): void {
  const localizer: unknown = Reflect.get(Object(localizers), language)
  if (typeof localizer !== 'function') throw new Error(`ajv-i18n has no language ${language}`)
  Reflect.apply(localizer, undefined, [errors])
}
