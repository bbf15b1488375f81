import { entriesOf } from '../guards.ts'
import { requirementsIn } from './security-hook.ts'
import { partsOf, Specification } from './specification.ts'

/** An operation of a document, as `implement` reads it. */
export interface ImplementedOperation {
  /** Its `operationId`, or the name that `implement` generates; also the name of its handler. */
  readonly operationId: string
  /** Its method, in upper case. */
  readonly method: string
  /** Its path, as in `/pets/{id}`. */
  readonly path: string
  /** The names of its security schemes, which need handlers. */
  readonly securitySchemes: readonly string[]
  /** The statuses of its responses that have no content. */
  readonly statusesWithoutContent: readonly string[]
}

/**
 * Lists the operations of a document that `implement` needs handlers for.
 *
 * @throws {@link OpenApiError} `CLO_ERR_OPENAPI_DOCUMENT`
 *
 * @example
 * ```ts
 * import { operationsOf } from '@cloister/openapi'
 *
 * const paths = { '/books': { get: { responses: { 204: { description: 'None' } } } } }
 * const [operation] = operationsOf({ openapi: '3.1.0', info: { title: 'Books', version: '1' }, paths })
 * console.log(operation?.operationId) // getBooks
 * ```
 */
export function operationsOf(document: object): ImplementedOperation[] {
  const spec = new Specification(document)
  return spec.operations.map(({ id, method, path, fields }) => {
    const requirements = requirementsIn(fields['security'] ?? spec.document.security)
    const responses = partsOf(fields['responses'], spec).filter(([status]) => !status.startsWith('x-'))
    return {
      operationId: id,
      method,
      path,
      securitySchemes: [...new Set(requirements.flatMap((one) => one.map(([scheme]) => scheme)))],
      statusesWithoutContent: responses
        .filter(([, { content }]) => entriesOf(content).length === 0)
        .map(([status]) => status),
    }
  })
}
