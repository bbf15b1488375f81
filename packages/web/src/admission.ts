import type { CloisterReply, CloisterRequest } from 'cloister'
import { allowedMethods, headerOf } from 'cloister/inspect'

import { allowPreflight, type Cors } from './cors.ts'
import { WebOptionError, WebRefusal } from './errors.ts'
import type { Limit } from './limit.ts'
import { isRecord } from './options.ts'
import type { LimitState, WebReply } from './types.ts'

/** The method that a preflight asks for, where the app has no OPTIONS route of its own; `null` for other requests. */
export function preflightMethod({ method, headers, is404 }: CloisterRequest): string | null {
  const asked = headers['access-control-request-method']
  const isPreflight = method === 'OPTIONS' && is404 && headers.origin !== undefined
  return isPreflight && typeof asked === 'string' ? asked : null
}

/** Decides whether a page may read the response to a request. */
export function admits(cors: Cors, request: CloisterRequest): boolean | Promise<boolean> {
  if (cors.admits === '*') return true
  const origin = headerOf(request, 'origin')
  if (origin === undefined) return false
  const admitted: unknown = cors.admits(origin, request)
  if (typeof admitted !== 'object' || admitted === null) return admitted === true
  return Promise.resolve<unknown>(admitted).then((late) => late === true)
}

/** Responds to a preflight; for a path without routes the not-found handler does, and the page may read that. */
export function preflight(
  cors: Cors,
  isAdmitted: boolean,
  request: CloisterRequest,
  reply: CloisterReply & WebReply,
): CloisterReply | undefined {
  const methods = allowedMethods(request)
  if (methods.length === 0) return undefined
  if (isAdmitted) allowPreflight(cors, methods, request.headers['access-control-request-headers'], reply)
  return reply.code(204).send()
}

/** All clients would share one key. */
function noKey(key: unknown): WebOptionError {
  const problem = `the function 'limit.by' must return a text, a number or null at once, not ${isRecord(key) && 'then' in key ? 'a promise' : `a value of the type ${typeof key}`}`
  return new WebOptionError('CLO_ERR_WEB_OPTION', problem)
}

/**
 * Takes a request from the limit of its client.
 *
 * @returns the refusal, or `null`
 * @throws WebOptionError if `by` returns no key
 */
export function limit(
  { rule, group, policy, by, store, refusesOnFailure, hasFields }: Limit,
  request: CloisterRequest,
  reply: CloisterReply,
): Error | null | Promise<Error | null> {
  const fail = (error: unknown): Error | null => {
    request.log.error({ err: error }, 'the store of the rate limit failed')
    const message = 'The limit of requests cannot be checked'
    return refusesOnFailure ? new WebRefusal('CLO_ERR_WEB_LIMIT_STORE', message, { cause: error }) : null
  }
  const settle = ({ allowed, remaining, resetMs }: LimitState): Error | null => {
    const seconds = Math.max(1, Math.ceil(resetMs / 1000))
    if (hasFields) {
      reply.header('ratelimit-policy', `${policy};q=${rule.max};w=${Math.ceil(rule.perMs / 1000)}`)
      reply.header('ratelimit', `${policy};r=${remaining};t=${seconds}`)
    }
    if (allowed) return null
    reply.header('retry-after', String(seconds))
    return new WebRefusal('CLO_ERR_WEB_LIMIT', `Too many requests; try again in ${seconds} s`)
  }
  const key: unknown = by(request)
  if (key === undefined || key === null || key === '') return null
  // A query string may give a list.
  if (isRecord(key) || typeof key === 'function') throw noKey(key)
  try {
    const state: LimitState | PromiseLike<LimitState> = store.take(`${group}:${String(key)}`, 1, rule)
    return 'then' in state ? Promise.resolve(state).then(settle, fail) : settle(state)
  } catch (error) {
    return fail(error)
  }
}
