import { nearestNames } from '@cloister/schema/internal'
import type { Context, Ctx } from 'cloister'

import { OpenApiError } from '../errors.ts'
import { entriesOf, isRecord } from '../guards.ts'
import { SPECIFIED } from './as-specified.ts'
import type { Specified } from './as-specified.ts'
import { checkErrors } from './check-errors.ts'
import { cookieHook, decodingHook } from './decode-parameters.ts'
import { routeUrl } from './paths.ts'
import { RouteSchemaWriter } from './route-schema.ts'
import { requirementsIn, securityHook } from './security-hook.ts'
import type { SecurityHandler } from './security-hook.ts'
import { Specification } from './specification.ts'
import type { SpecifiedOperation } from './specification.ts'
import type { Handlers, ImplementArguments, ImplementedPlugin, TypedDocument } from './types.ts'

/**
 * Returns a plugin with a route for each operation of an OpenAPI document. Path, schemas and security come from the
 * document, and the `operationId` names the handler. Documents that the app creates have the operations as in this
 * document.
 *
 * @param document - of version 3.0, 3.1 or 3.2, in one file; `cloister types --from openapi.yaml` writes it with its
 * types
 * @throws {@link OpenApiError} when the app starts: `CLO_ERR_OPENAPI_HANDLER` for an operation without a handler and
 * for a handler without an operation, `CLO_ERR_OPENAPI_SECURITY` for a security scheme without a handler,
 * `CLO_ERR_OPENAPI_DOCUMENT` for a document that cannot be implemented, `CLO_ERR_OPENAPI_ERRORS` if its errors have
 * another form than those of the framework and the app has no error handler
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { implement } from '@cloister/openapi'
 *
 * const document = {
 *   openapi: '3.1.0',
 *   info: { title: 'Books', version: '1.0.0' },
 *   paths: { '/books/{id}': { get: { operationId: 'getBook', responses: { 200: { description: 'A book' } } } } },
 * }
 * const app = cloister()
 * app.register(implement(document, { getBook: async () => ({ title: 'Flatland' }) }))
 * ```
 */
export function implement<Operations, Schemes extends string, C extends Context = Ctx, Int64 = unknown>(
  document: TypedDocument<Operations, Schemes, Int64>,
  handlers: Handlers<Operations, C>,
  ...[options]: ImplementArguments<Schemes>
): ImplementedPlugin<C, Int64> {
  return async (app) => {
    const spec = new Specification(document)
    const known = handlersOf(spec, handlers)
    const writer = new RouteSchemaWriter(spec)
    const { onProtoPoisoning = 'error', onConstructorPoisoning = 'error' } = app.initialConfig
    const parseJson = app.getDefaultJsonParser(onProtoPoisoning, onConstructorPoisoning)
    const routes = spec.operations.map((operation) => {
      const parameters = writer.parametersOf(operation)
      const schema = writer.write(operation, parameters)
      const preValidation = [
        decodingHook(parameters, (parameter) => writer.isList(parameter), parseJson),
        isRecord(schema['cookies']) ? cookieHook(schema['cookies']) : null,
      ]
      return {
        method: operation.method,
        url: routeUrl(operation.path),
        schema,
        config: { [SPECIFIED]: { spec, operation } satisfies Specified },
        exposeHeadRoute: false,
        handler: known.get(operation.id),
        onRequest: guardsOf(spec, operation, options?.security),
        preValidation: preValidation.filter((hook) => hook !== null),
      }
    })
    const plain: PlainApp = app
    for (const schema of writer.shared) plain.addSchema(schema)
    for (const route of routes) plain.route(route)
    app.addHook('onReady', async () => checkErrors(app, spec))
  }
}

/** An app with untyped routes: no compiler infers the types of these. */
interface PlainApp {
  addSchema(schema: object): unknown
  route(options: object): unknown
}

function handlersOf({ operations }: Specification, given: object): ReadonlyMap<string, unknown> {
  const handlers = new Map(entriesOf(given))
  const ids = new Set(operations.map(({ id }) => id))
  const unknown = [...handlers.keys()].filter((name) => !ids.has(name))
  for (const { id, method, path } of operations) {
    if (typeof handlers.get(id) === 'function') continue
    const [near] = nearestNames(id, unknown)
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_HANDLER',
      `implement: the operation '${id}' (${method} ${path}) has no handler; ` +
        (near === undefined
          ? `add ${id}: async (request, reply) => { … }`
          : `'${near}' is no operation: call it ${id}`),
    )
  }
  const [extra] = unknown
  if (extra === undefined) return handlers
  const [near] = nearestNames(extra, ids)
  throw new OpenApiError(
    'CLO_ERR_OPENAPI_HANDLER',
    `implement: no operation of the document has the name '${extra}'` +
      `${near === undefined ? '' : `, but one has '${near}'`}; remove the handler, or add its operation to the document`,
  )
}

/** Returns the hook that checks the credentials of an operation's requests, if the document requires any. */
function guardsOf(
  { document }: Specification,
  { id, method, path, fields }: SpecifiedOperation,
  handlers: Readonly<Record<string, SecurityHandler>> = {},
): unknown[] {
  const requirements = requirementsIn(fields['security'] ?? document.security)
  if (requirements.length === 0) return []
  const schemes = requirements.flatMap((requirement) => requirement.map(([scheme]) => scheme))
  const missing = schemes.find((scheme) => typeof handlers[scheme] !== 'function')
  if (missing === undefined) return [securityHook(requirements, handlers)]
  throw new OpenApiError(
    'CLO_ERR_OPENAPI_SECURITY',
    `implement: the operation '${id}' (${method} ${path}) wants the security scheme '${missing}', which has no handler; ` +
      `add { security: { ${JSON.stringify(missing)}: async (request) => { … } } } as the last argument`,
  )
}
