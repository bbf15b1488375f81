import { hashOf } from '../keys.ts'
import { isRecord } from '../options.ts'
import { IdempotencyRefusal } from './errors.ts'

/** What is compared of a request, after its validation. */
export interface ComparedRequest {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: Readonly<Record<string, unknown>>
}

/**
 * Returns the hash of what a request asks for: its validated `params`, `query` and `body`, whatever the order of members.
 *
 * @throws IdempotencyRefusal `CLO_ERR_IDEMPOTENCY_BODY` for a body that has no such form
 */
export function requestHash({ params, query, body, headers }: ComparedRequest): string {
  const isSent = headers['content-type'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (body === undefined && isSent) throw uncomparable('is a stream')
  return hashOf([params, query, body].map(canonical).join('\n'))
}

/** Returns the text of a value, with the members of objects in order. Values of different types have different texts. */
function canonical(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === undefined) return 'u'
  if (Array.isArray(value)) return `[${Array.from(value, canonical).join()}]`
  if (value instanceof Date) return `d${value.getTime()}`
  if (value instanceof Uint8Array) return `b${hashOf(Buffer.from(value).toString('base64'))}`
  if (value instanceof Map) return `m${canonical([...value])}`
  if (value instanceof Set) return `s${canonical([...value])}`
  if (!isRecord(value) || !isPlain(value)) throw uncomparable(`has ${kindOf(value)}`)
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
  return `{${members.join()}}`
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

const kindOf = (value: unknown): string =>
  typeof value === 'object' ? `an object of ${value?.constructor.name}` : `a ${typeof value}`

function uncomparable(what: string): IdempotencyRefusal {
  return new IdempotencyRefusal(
    'CLO_ERR_IDEMPOTENCY_BODY',
    `An idempotent route compares requests, but the body of this one ${what}`,
  )
}
