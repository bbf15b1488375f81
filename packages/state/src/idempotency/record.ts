import { isRecord } from '../options.ts'

/** The response of a request that was done. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | Buffer | null
}

/** What the state has of a key. */
export interface IdempotencyRecord {
  /** of the request */
  readonly hash: string
  /** the claim that wrote the record */
  readonly owner: string
  /** `null` for one that is running */
  readonly outcome: StoredResponse | 'not kept' | null
}

/** Returns the record as a text. */
export function recordText({ hash, owner, outcome }: IdempotencyRecord): string {
  if (outcome === null || outcome === 'not kept') return JSON.stringify({ hash, owner, outcome })
  const { body } = outcome
  const isBytes = Buffer.isBuffer(body)
  return JSON.stringify({
    hash,
    owner,
    outcome: { ...outcome, body: isBytes ? body.toString('base64') : body, isBytes },
  })
}

/** Returns the record of a text; `null` for a text that is none. */
export function recordOf(text: string): IdempotencyRecord | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(parsed)) return null
  const { hash, owner, outcome } = parsed
  if (typeof hash !== 'string' || typeof owner !== 'string') return null
  if (outcome === null || outcome === 'not kept') return { hash, owner, outcome }
  if (!isRecord(outcome)) return null
  const { status, headers, body, isBytes } = outcome
  if (typeof status !== 'number' || !isHeaders(headers) || (body !== null && typeof body !== 'string'))
    return null
  const content = isBytes === true && body !== null ? Buffer.from(body, 'base64') : body
  return { hash, owner, outcome: { status, headers, body: content } }
}

function isHeaders(value: unknown): value is Readonly<Record<string, string | string[]>> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string' || Array.isArray(one))
}

/** Fields that belong to one response or to one connection: they are not stored. */
const NOT_STORED =
  /^(?:set-cookie|date|age|connection|keep-alive|content-length|transfer-encoding|trailer|upgrade|vary|retry-after|access-control-.*|ratelimit.*|x-ratelimit-.*|server-timing|traceparent|www-authenticate)$/

/** Returns the fields that the handler and later hooks set: those that were not there before, or were others. */
export function storedHeaders(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, string | string[]> {
  const entries = Object.entries(after).flatMap(([name, value]): [string, string | string[]][] => {
    if (value === undefined || NOT_STORED.test(name) || String(before[name]) === String(value)) return []
    return [[name, Array.isArray(value) ? value.map(String) : String(value)]]
  })
  return Object.fromEntries(entries)
}
