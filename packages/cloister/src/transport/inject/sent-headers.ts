import { isStatus, problemOfField } from '@cloister/wire/message'

import type { ResponseHeaders } from '../../exchange/exchange.ts'

/** Fields from which Node decides framing and persistence, or which it would add itself. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Whether a server of Node would write a head as it was given, with a date and a connection that stays open; all others
 * are left to Node.
 */
export function isWrittenAsGiven(status: number, headers: ResponseHeaders): boolean {
  return (
    isStatus(status) &&
    status >= 200 &&
    Object.keys(headers).every((name) => isPlainField(name, headers[name]))
  )
}

function isPlainField(name: string, value: ResponseHeaders[string]): boolean {
  return !OF_CONNECTION.has(name) && problemOfField(name, value) === null
}

/** Returns the headers of a response as a client reads them: texts, and what a server adds to each response. */
export function copySent(headers: ResponseHeaders, date: string): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    sent[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  sent['date'] = date
  sent['connection'] = 'keep-alive'
  return sent
}
