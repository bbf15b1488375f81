import { Readable } from 'node:stream'
import type { Response as InjectResponse } from 'light-my-request'
import { isStatus } from '@cloister/wire/message'
import { problemOfField } from '@cloister/wire/message/internal'

import { dependencies } from '../../dependencies.ts'
import { OF_CONNECTION } from '../../exchange/message-head.ts'
import { STATUS_TEXT } from '../../exchange/status-text.generated.ts'
import type { ResponseHeaders } from '../../exchange/exchange.ts'

/** Node's objects of an exchange. */
export interface RawObjects {
  readonly request: InjectResponse['raw']['req']
  readonly response: InjectResponse['raw']['res']
}

/**
 * Creates the response that `inject` returns. It has the members of `light-my-request` as own properties, so that it
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
      return dependencies.setCookieParser().parse(this)
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

/**
 * Returns whether Node would send these headers unchanged, except for `date` and a persistent connection. Node writes
 * all other responses.
 */
export function isWrittenAsGiven(status: number, headers: ResponseHeaders): boolean {
  return (
    isStatus(status) &&
    status >= 200 &&
    Object.keys(headers).every((name) => isPlainField(name, headers[name]))
  )
}

/** Node derives framing and persistence from the other fields, or adds them itself. */
function isPlainField(name: string, value: ResponseHeaders[string]): boolean {
  return !OF_CONNECTION.has(name) && name !== 'date' && problemOfField(name, value) === null
}

/**
 * Returns the headers of a response as a client receives them: as strings, with the fields that a server adds to every
 * response.
 */
export function copySent(headers: ResponseHeaders, date: string): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    sent[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  sent['date'] = date
  sent['connection'] = 'keep-alive'
  return sent
}

/** The date of responses (RFC 9110 section 6.6.1), created once per second. */
export class Clock {
  #second = -1
  #text = ''

  get date(): string {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#text = new Date(now).toUTCString()
    }
    return this.#text
  }
}
