import { createDocument } from './document/create-document.ts'
import type { DocumentedApp } from './document/create-document.ts'
import { inNewerVersion } from './document/version-3-2.ts'
import type { DocumentOptions } from './options.ts'
import { inOlderVersion } from './schema/older-dialect.ts'
import type { OpenApiDocument } from './types.ts'

/**
 * Creates the OpenAPI document of an app from its routes and schemas, as the app itself uses them.
 *
 * @param app - an app that is ready
 * @param options - override those of the registered plugin
 * @throws {@link OpenApiError} `CLO_ERR_OPENAPI_SCHEMA` for a schema that OpenAPI cannot express,
 * `CLO_ERR_OPENAPI_OPERATION_ID` for two routes with the same `operationId`, `CLO_ERR_OPENAPI_PATH` for two routes
 * that would be the same operation, `CLO_ERR_OPENAPI_SECURITY` for a security scheme that is not declared,
 * `CLO_ERR_OPENAPI_OPTION`, `CLO_ERR_OPENAPI_PACKAGE`
 * @throws `CLO_ERR_EXPLAIN_NOT_READY` before the app is ready
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { openApiDocument } from '@cloister/openapi'
 *
 * const app = cloister()
 * app.get('/books/:id', { schema: { params: { id: { type: 'integer' } } } }, () => 'a book')
 * await app.ready()
 * const document = openApiDocument(app, { info: { title: 'Books', version: '1.0.0' } })
 * console.log(Object.keys(document.paths)) // [ '/books/{id}' ]
 * ```
 */
export function openApiDocument(app: DocumentedApp, options?: DocumentOptions): OpenApiDocument {
  const { document, options: used } = createDocument(app, options)
  if (used.version === '3.2') return inNewerVersion(document)
  return used.version === '3.0' ? inOlderVersion(document) : document
}
