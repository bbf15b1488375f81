import { Readable } from 'node:stream'
import type { Response as InjectResponse } from 'light-my-request'

import { dependencies } from '../../dependencies.ts'
import { STATUS_TEXT } from '../../exchange/status-text.ts'

/** Node's objects of an exchange, made when they are read. */
interface RawObjects {
  readonly request: InjectResponse['raw']['req']
  readonly response: InjectResponse['raw']['res']
}

/**
 * Makes the response that `inject` gives. It has the members of `light-my-request`, as properties of its own, so that it
 * can be copied and compared.
 */
export function createInjectResponse(
  statusCode: number,
  headers: InjectResponse['headers'],
  rawPayload: Buffer,
  raw: RawObjects,
): InjectResponse {
  const payload = rawPayload.toString()
  const made: InjectResponse = {
    raw: {
      get res() {
        return raw.response
      },
      get req() {
        return raw.request
      },
    },
    headers,
    statusCode,
    statusMessage: STATUS_TEXT[statusCode] ?? 'unknown',
    trailers: {},
    get cookies() {
      return dependencies.setCookieParser.parse(this)
    },
    rawPayload,
    payload,
    body: payload,
    // oxlint-disable-next-line typescript/no-unsafe-return -- the interface promises whatever the caller expects
    json: () => JSON.parse(made.payload),
    stream: () => Readable.from(rawPayload.length === 0 ? [] : [rawPayload]),
  }
  return made
}
