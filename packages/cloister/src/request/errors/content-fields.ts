import { CONTENT_FIELDS } from '../../read-error.ts'
import { kPlan, kReplyHeaders } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'

/**
 * Removes what the headers of a reply say about a content that another one replaces. An error under the
 * `Content-Encoding` of the payload that failed can be read by no client (RFC 9110 section 8.4).
 */
export function dropContentFields(reply: Pick<ReplyState, typeof kReplyHeaders | typeof kPlan>): void {
  const headers = reply[kReplyHeaders]
  for (const name of CONTENT_FIELDS) delete headers[name]
  if (!reply[kPlan].app.options.cacheErrors) dropCaching(headers)
}

/** Validators and lifetimes of a content, also those for caches of one kind (RFC 9213). */
const CACHING = ['etag', 'last-modified', 'expires', 'cdn-cache-control', 'surrogate-control'] as const

/** Values that forbid to use the response without asking again. */
const FORBIDS = /\bno-(?:store|cache)\b/i

/**
 * Removes what lets caches keep a response. They may keep some errors, such as a 404, even without a `Cache-Control`
 * (RFC 9111 section 4.2.2), so one that allows it becomes `no-store`.
 */
function dropCaching(headers: ReplyState[typeof kReplyHeaders]): void {
  for (const name of CACHING) delete headers[name]
  const control = headers['cache-control']
  if (control !== undefined && !FORBIDS.test(String(control))) headers['cache-control'] = 'no-store'
}
