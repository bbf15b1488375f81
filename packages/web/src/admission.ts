import type { CloisterReply, CloisterRequest } from 'cloister'
import { allowedMethods } from 'cloister/inspect'

import { allow, allowPreflight, type Cors } from './cors.ts'
import { WebRefusal } from './errors.ts'
import type { Limit } from './limit.ts'
import type { LimitState, WebReply } from './types.ts'

type Done = (error?: Error) => void

/** The method that a preflight asks for, where the app has no OPTIONS route of its own; `null` for other requests. */
export function preflightMethod({ method, headers, is404 }: CloisterRequest): string | null {
  const asked = headers['access-control-request-method']
  const isPreflight = method === 'OPTIONS' && is404 && headers.origin !== undefined
  return isPreflight && typeof asked === 'string' ? asked : null
}

/** Decides whether a page may read the response, and sets the fields that say so. */
export function admit(
  cors: Cors,
  request: CloisterRequest,
  reply: CloisterReply & WebReply,
  goOn: (isAdmitted: boolean) => void,
  done: Done,
): void {
  const { origin } = request.headers
  const { admits } = cors
  if (admits !== '*') reply.vary('Origin')
  const settle = (isAdmitted: boolean): void => {
    if (isAdmitted) allow(cors, origin ?? '*', reply)
    goOn(isAdmitted)
  }
  if (admits === '*' || origin === undefined) {
    settle(admits === '*')
    return
  }
  let admitted: boolean | Promise<boolean>
  try {
    admitted = admits(origin, request)
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
    return
  }
  if (typeof admitted === 'boolean') settle(admitted)
  else admitted.then((late) => settle(late === true), done)
}

/** Responds to a preflight; for a path without routes the not-found handler does, and the page may read that. */
export function preflight(
  cors: Cors,
  isAdmitted: boolean,
  request: CloisterRequest,
  reply: CloisterReply & WebReply,
  done: Done,
): void {
  const methods = allowedMethods(request)
  if (methods.length === 0) {
    done()
    return
  }
  if (isAdmitted) allowPreflight(cors, methods, request.headers['access-control-request-headers'], reply)
  reply.code(204).send()
}

/** Takes a request from the limit of its client. Calls back with the refusal, or `null`. */
export function limit(
  rules: Limit | null,
  request: CloisterRequest,
  reply: CloisterReply,
  goOn: (refusal: Error | null) => void,
): void {
  if (rules === null) {
    goOn(null)
    return
  }
  const { rule, group, by, store, refusesOnFailure, hasFields } = rules
  const fail = (error: unknown): void => {
    request.log.error({ err: error }, 'the store of the rate limit failed')
    const message = 'The limit of requests cannot be checked'
    goOn(refusesOnFailure ? new WebRefusal('CLO_ERR_WEB_LIMIT_STORE', message, { cause: error }) : null)
  }
  const settle = ({ allowed, remaining, resetMs }: LimitState): void => {
    const seconds = Math.max(1, Math.ceil(resetMs / 1000))
    if (hasFields) {
      reply.header('ratelimit-policy', `"${group}";q=${rule.max};w=${Math.ceil(rule.perMs / 1000)}`)
      reply.header('ratelimit', `"${group}";r=${remaining};t=${seconds}`)
    }
    if (allowed) {
      goOn(null)
      return
    }
    reply.header('retry-after', String(seconds))
    goOn(new WebRefusal('CLO_ERR_WEB_LIMIT', `Too many requests; try again in ${seconds} s`))
  }
  try {
    const key = by(request)
    if (key == null || key === '') {
      goOn(null)
      return
    }
    const state = store.take(`${group}:${key}`, 1, rule)
    if (state instanceof Promise) state.then(settle, fail)
    else settle(state)
  } catch (error) {
    fail(error)
  }
}
