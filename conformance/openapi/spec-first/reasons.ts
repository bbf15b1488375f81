import type { Difference } from './compare.ts'

/** Why an app writes something else than the document that it implements. */
type Reason = readonly [reason: string, explains: (difference: Difference) => boolean]

const ends = (...names: string[]) => {
  return ({ pointer }: Difference): boolean => names.some((name) => pointer.endsWith(`/${name}`))
}

/** The reasons, the first that fits counts. */
export const REASONS: readonly Reason[] = [
  ['operationId', (one) => one.was === undefined && ends('operationId')(one)],
  ['no responses', (one) => one.was === undefined && ends('responses')(one)],
  ['body of GET', (one) => one.is === undefined && ends('get/requestBody')(one)],
  ['mapping by name', ({ pointer }) => pointer.includes('/discriminator/mapping/')],
  ['name twice in a path', ends('parameters')],
  ['path item by reference', ({ pointer }) => pointer.startsWith('/paths/~1path-item-ref')],
  [
    'reference into an operation',
    ({ pointer, is }) =>
      pointer.startsWith('/components/schemas/paths_') ||
      String(is).startsWith('#/components/schemas/paths_'),
  ],
  ['example', ends('example', 'examples')],
  ['nullable', ends('type', 'nullable', 'oneOf', 'anyOf')],
]

/** The documents with differences beside names of operations, and their reasons. */
export const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  '3.0/circular-paths': ['reference into an operation'],
  '3.0/complex-nesting': ['nullable'],
  '3.0/discriminators': ['mapping by name'],
  '3.0/parameters-common': ['name twice in a path'],
  '3.0/response-schemas': ['body of GET'],
  '3.0/server-path-level': ['path item by reference'],
  '3.1/parameters-style': ['body of GET', 'no responses'],
  '3.1/petstore': ['example'],
  '3.1/readme-extensions': ['example', 'no responses'],
  '3.1/schema-encoding-style': ['no responses'],
  '3.1/schema-types': ['example', 'no responses', 'nullable'],
  '3.1/train-travel': ['example'],
}

/** The documents that no app can implement, and what the error says. */
export const REFUSED: Readonly<Record<string, RegExp>> = {
  '3.0/response-examples': /"text\/csv, text\/comma-separated-values" is no media type/,
  '3.0/response-http-behavior':
    /'cached' \(GET \/cache\) wants the security scheme 'api_key', which has no handler/,
  '3.0/schema-enums': /"enum" must not list a value twice/,
  '3.0/schema-validation': /"pattern" is no regular expression/,
  '3.1/readme': /"nullable" needs "type" beside it/,
  '3.1/schema-validation-local': /"exclusiveMinimum" must be a number/,
  '3.1/schema-validation-top-level': /"exclusiveMinimum" must be a number/,
  '3.1/webhooks': /it must be one of OpenAPI 3\.0, 3\.1 or 3\.2, with info and paths/,
}
