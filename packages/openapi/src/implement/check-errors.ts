import { inspectRoutes } from 'cloister/inspect'
import type { InspectedRoute } from 'cloister/inspect'

import type { DocumentedApp } from '../document/create-document.ts'
import { OpenApiError } from '../errors.ts'
import { isRecord } from '../guards.ts'
import { specifiedBy } from './as-specified.ts'
import type { Specification } from './specification.ts'

/** The properties of every error of the framework; errors of the application may have no `code`. */
const OWN_FIELDS: ReadonlySet<unknown> = new Set(['statusCode', 'error', 'message'])

/**
 * Checks that errors of the framework match the document. If the document has another form for them, the app needs
 * an error handler; without one, each refused request would end as a 500.
 *
 * @throws OpenApiError `CLO_ERR_OPENAPI_ERRORS`
 */
export function checkErrors(app: DocumentedApp, spec: Specification): void {
  for (const route of inspectRoutes(app)) {
    const specified = specifiedBy(route.config)
    const { description, problemDetails } = route
    if (specified?.spec !== spec || description.errorHandlers.length > 0 || problemDetails === true) continue
    const missing = requiredOfErrors(route).find((name) => !OWN_FIELDS.has(name))
    if (missing === undefined) continue
    const { id, method, path } = specified.operation
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_ERRORS',
      `implement: errors of the operation '${id}' (${method} ${path}) must have '${String(missing)}', which those of the ` +
        'framework need not have; make them with an error handler: app.setErrorHandler((error, request, reply) => ' +
        'reply.code(error.statusCode ?? 500).send({ … }))',
    )
  }
}

function requiredOfErrors({ schema: { response }, scope }: InspectedRoute): readonly unknown[] {
  const found = response?.get('400') ?? response?.get('4xx') ?? response?.get('default')
  let at = scope.open(found?.content?.get('application/json'))
  const seen = new Set<unknown>()
  while (isRecord(at.schema) && typeof at.schema['$ref'] === 'string' && !seen.has(at.schema)) {
    seen.add(at.schema)
    at = scope.resolve(at, at.schema['$ref']) ?? at
  }
  const required = isRecord(at.schema) ? at.schema['required'] : undefined
  return Array.isArray(required) ? required : []
}
