import { kReplyHeaders } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'

/**
 * Removes what the headers of a reply say about a content that another one replaces. An error under the
 * `Content-Encoding` of the payload that failed can be read by no client (RFC 9110 section 8.4).
 */
export function dropContentFields(reply: Pick<ReplyState, typeof kReplyHeaders>): void {
  const headers = reply[kReplyHeaders]
  delete headers['content-type']
  delete headers['content-length']
  delete headers['content-encoding']
}
