import { createRequire } from 'node:module'
import path from 'node:path'

import type { Ajv2020 } from 'ajv/dist/2020.js'

import { OpenApiError } from './errors.ts'

/*
 * Packages that many apps never use; they are loaded when first needed. Some are optional: the application installs
 * those that it uses. Each `require` has a literal name, so that bundlers find it; the build replaces this `require`
 * with that of CommonJS.
 */
const require: RequireOwn = createRequire(import.meta.url)

/** `require`, with the types of these packages. */
interface RequireOwn {
  (name: 'ajv/dist/2020.js'): typeof import('ajv/dist/2020.js')
  (name: 'ajv-formats'): typeof import('ajv-formats')
  (name: 'fast-check'): typeof import('fast-check')
  (name: 'yaml'): typeof import('yaml')
  readonly resolve: { paths(name: string): string[] | null }
}

export function toYaml(document: object): string {
  return require('yaml').stringify(document, { aliasDuplicateObjects: false })
}

/**
 * Creates a validator for 2020-12, which treats the keywords of OpenAPI as annotations.
 *
 * @throws OpenApiError `CLO_ERR_OPENAPI_PACKAGE` if the process forbids generated code, which Ajv needs
 */
export function loadAjv(): Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true, validateFormats: true })
  require('ajv-formats').default(ajv)
  try {
    ajv.compile({})
  } catch (cause) {
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_PACKAGE',
      'checkContract judges values by Ajv, which generates code, and this process forbids that; ' +
        'run the check in a process without --disallow-code-generation-from-strings',
      cause,
    )
  }
  return ajv
}

/** The library that generates random values. */
export type FastCheck = typeof import('fast-check')

export function loadFastCheck(): FastCheck {
  return load(
    {
      name: 'fast-check',
      use: 'checkContract',
      otherwise: 'do not call it where development dependencies are missing',
    },
    () => require('fast-check'),
  )
}

/** Returns the folders in which a package may be installed: from this one upwards, and the application's. */
export function foldersOf(name: string): string[] {
  return [...(require.resolve.paths(name) ?? []), path.join(process.cwd(), 'node_modules')]
}

/** The texts of the error when an optional package is missing. */
interface Missing {
  readonly name: string
  /** What needs it, as the subject of a sentence. */
  readonly use: string
  /** How to do without it. */
  readonly otherwise: string
}

/**
 * Loads an optional package.
 *
 * @throws OpenApiError `CLO_ERR_OPENAPI_PACKAGE` with the command that installs it
 */
export function load<T>({ name, use, otherwise }: Missing, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
    if (code !== 'MODULE_NOT_FOUND') throw cause
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_PACKAGE',
      `${use} needs the package ${name}, which is not installed: npm install ${name}; or ${otherwise}`,
      cause,
    )
  }
}
