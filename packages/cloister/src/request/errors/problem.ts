import { kExchange, kPlan, kReplyHeaders, kState } from '../../symbols.ts'
import type { ProblemDetails } from '../../types/errors.ts'
import { preferredTypes } from '../preferred-types.ts'
import type { ReplyState } from '../state.ts'

/** The media type of problem details (RFC 9457 section 6.1). */
export const PROBLEM_CONTENT = 'application/problem+json; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json'

/**
 * Whether an error response has the form of problem details (option `problemDetails`). If the `Accept` header decides,
 * `Vary` names it for caches (RFC 9110 section 12.5.5).
 */
export function wantsProblem(reply: ReplyState): boolean {
  const { problemDetails } = reply[kPlan].app.options
  if (typeof problemDetails === 'boolean') return problemDetails
  varyBy(reply, 'Accept')
  return acceptsProblem(problemDetails, reply[kExchange].header('accept'))
}

/** The same, only by an `Accept` header. Without the header every type is acceptable (RFC 9110 section 12.5.1). */
export function acceptsProblem(option: boolean | 'accepted', accept: string | undefined): boolean {
  if (typeof option === 'boolean') return option
  if (accept === undefined || accept === '*/*') return true
  return preferredTypes(accept, [PROBLEM_TYPE]).length > 0
}

/** The problem details of a request that was refused before the app took it. */
export function problemOfStatus(status: number, title: string, detail?: string): ProblemDetails {
  return { type: 'about:blank', title, status, ...(detail === undefined ? {} : { detail }) }
}

/** Adds the name of a field to the header `Vary`, unless it is there. */
export function varyBy(reply: ReplyState, field: string): void {
  const headers = reply[kReplyHeaders]
  const known = [headers['vary'] ?? reply[kState].presets?.fields['vary'] ?? []].flat().join(', ')
  const names = known.toLowerCase().split(/[\t ]*,[\t ]*/)
  if (names.includes('*') || names.includes(field.toLowerCase())) return
  headers['vary'] = known === '' ? field : `${known}, ${field}`
}
