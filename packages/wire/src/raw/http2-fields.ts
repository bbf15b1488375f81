import type { ServerResponse } from 'node:http'
import { FieldError, problemOfField, type ResponseHeaders } from '../message/field.ts'

/** Fields that an HTTP/2 response must not have (RFC 9113 section 8.2.2). */
export const OF_CONNECTION: readonly string[] =
  'connection http2-settings keep-alive proxy-connection te transfer-encoding upgrade'.split(' ')

/** Fields of which Node's HTTP/2 code refuses several lines, without `content-length` and `date`, which are corrected. */
const SINGLE: ReadonlySet<string> = new Set(
  (
    'access-control-allow-credentials access-control-max-age access-control-request-method age authorization ' +
    'content-encoding content-language content-location content-md5 content-range content-type ' +
    'dnt etag expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified ' +
    'location max-forwards proxy-authorization range referer retry-after tk upgrade-insecure-requests user-agent ' +
    'x-content-type-options'
  ).split(' '),
)

/**
 * Checks the fields of an HTTP/2 response. Node's code checks no values, and refuses a head when it is too late to
 * write another one. An invalid field that is set on the response is removed, so that the error response does not get
 * it.
 *
 * @throws FieldError
 */
export function checkHttp2Fields(response: ServerResponse, headers: Readonly<ResponseHeaders>): void {
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    const problem = value === undefined ? null : problemOf(name, value)
    if (problem !== null) throw new FieldError(name, problem)
  }
  for (const name of response.getHeaderNames()) {
    const problem = problemOf(name, response.getHeader(name))
    if (problem === null) continue
    response.removeHeader(name)
    throw new FieldError(name, problem)
  }
}

function problemOf(name: string, value: ResponseHeaders[string]): string | null {
  if (Array.isArray(value) && value.length > 1 && SINGLE.has(name))
    return 'HTTP/2 takes one value of it, not a list'
  return problemOfField(name, value)
}
