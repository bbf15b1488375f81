import { createRequire } from 'node:module'

import { OpenApiError } from './errors.ts'

/*
 * The optional packages. The application installs those that it uses. Each `require` has its name written out, so that
 * bundlers find it; the build replaces this `require` by the one of CommonJS.
 */
const require: RequireOwn = createRequire(import.meta.url)

/** `require` with the types of the packages that are loaded here. */
interface RequireOwn {
  (name: '@apiture/openapi-down-convert'): typeof import('@apiture/openapi-down-convert')
}

/** How an optional package is missed. */
interface Missing {
  readonly name: string
  /** What needs it, as the subject of a sentence. */
  readonly use: string
  /** How to do without it. */
  readonly otherwise: string
}

/** Converts a document to version 3.0. */
export function downConvert(document: object): object {
  const { Converter } = load(
    {
      name: '@apiture/openapi-down-convert',
      use: "version: '3.0'",
      otherwise: 'leave the option out for OpenAPI 3.1',
    },
    () => require('@apiture/openapi-down-convert'),
  )
  return new Converter(document).convert()
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
