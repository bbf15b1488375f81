import type { CloisterReply, CloisterRequest } from 'cloister'

import { OpenApiError } from '../errors.ts'
import { entriesOf, isRecord } from '../guards.ts'

/**
 * Checks the credentials of a request for one security scheme. It refuses a request by an error with a `statusCode`, or
 * with `false`, which is a 401.
 *
 * @param scopes - the scopes, or roles, that the operation wants
 */
export type SecurityHandler = (
  request: CloisterRequest,
  reply: CloisterReply,
  scopes: readonly string[],
) => unknown

const UNAUTHORIZED = 'CLO_ERR_OPENAPI_UNAUTHORIZED'

/** A scheme of a requirement, with the scopes that it wants. */
type Check = readonly [scheme: string, scopes: readonly string[]]

/** Reads a list of requirements: one of them is enough, and all schemes of that. */
export function requirementsIn(given: unknown): readonly (readonly Check[])[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : []
  return list.map((one) => entriesOf(one).map(([name, scopes]): Check => [name, textsIn(scopes)]))
}

/** Makes the hook of an operation: the request must meet one of the requirements. */
export function securityHook(
  requirements: readonly (readonly Check[])[],
  handlers: Readonly<Record<string, SecurityHandler>>,
): (request: CloisterRequest, reply: CloisterReply) => Promise<void> {
  return async (request, reply) => {
    const refusals: unknown[] = []
    for (const requirement of requirements) {
      try {
        for (const [scheme, scopes] of requirement) {
          // One scheme may rely on what the one before has found.
          const verdict = await handlers[scheme]?.(request, reply, scopes)
          if (reply.sent) return
          if (verdict === false)
            throw new OpenApiError(UNAUTHORIZED, `the credentials for '${scheme}' are missing or wrong`)
        }
        return
      } catch (error) {
        refusals.push(error)
      }
    }
    // A failure of the application counts for more than credentials that are missing.
    throw refusals.find((error) => !isRefusal(error)) ?? refusals[0]
  }
}

function isRefusal(error: unknown): boolean {
  const status: unknown = isRecord(error) ? error['statusCode'] : undefined
  return typeof status === 'number' && status < 500
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
