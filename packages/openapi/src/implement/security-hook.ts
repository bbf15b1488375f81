import type { CloisterReply, CloisterRequest } from 'cloister'

import { OpenApiError } from '../errors.ts'
import { entriesOf, isRecord } from '../guards.ts'

/**
 * Checks the credentials of a request for one security scheme. To refuse the request, it throws or returns an error with
 * a `statusCode`, or returns `false` or `null` for a 401. Anything else lets it pass; `undefined`, which
 * `users.find(…)` gives for an unknown user, does so with a warning in the log.
 *
 * @param scopes - the scopes, or roles, that the operation requires
 */
export type SecurityHandler = (
  request: CloisterRequest,
  reply: CloisterReply,
  scopes: readonly string[],
) => unknown

const UNAUTHORIZED = 'CLO_ERR_OPENAPI_UNAUTHORIZED'

type Check = readonly [scheme: string, scopes: readonly string[]]

/** Reads a list of requirements: a request must satisfy one of them, with all of its schemes. */
export function requirementsIn(given: unknown): readonly (readonly Check[])[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : []
  return list.map((one) => entriesOf(one).map(([name, scopes]): Check => [name, textsIn(scopes)]))
}

/** Creates the hook of an operation: the request must satisfy one of the requirements. */
export function securityHook(
  requirements: readonly (readonly Check[])[],
  handlers: Readonly<Record<string, SecurityHandler>>,
): (request: CloisterRequest, reply: CloisterReply) => Promise<void> {
  const warned = new Set<string>()
  const warnOnce = (scheme: string, { log }: CloisterRequest): void => {
    if (warned.has(scheme)) return
    warned.add(scheme)
    log.warn(
      `the security handler '${scheme}' returned nothing, so the request passed; return true, or false to refuse it`,
    )
  }
  return async (request, reply) => {
    const refusals: unknown[] = []
    for (const requirement of requirements) {
      try {
        for (const [scheme, scopes] of requirement) {
          // One scheme may rely on what the previous one has found.
          const verdict = await handlers[scheme]?.(request, reply, scopes)
          if (reply.sent) return
          if (verdict instanceof Error) throw verdict
          if (verdict === undefined) warnOnce(scheme, request)
          if (verdict === false || verdict === null)
            throw new OpenApiError(UNAUTHORIZED, `the credentials for '${scheme}' are missing or wrong`)
        }
        return
      } catch (error) {
        refusals.push(error)
      }
    }
    // A failure of the application takes precedence over missing credentials.
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
