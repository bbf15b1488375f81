import { hashOf } from '../keys.ts'
import { isRecord } from '../options.ts'
import { IdempotencyRefusal } from './errors.ts'

/** What is compared of a request, after its validation. */
export interface ComparedRequest {
  readonly method: string
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
export function requestHash({ method, params, query, body, headers }: ComparedRequest): string {
  if (body === undefined && hasBody(method, headers)) throw uncomparable('is a stream')
  return hashOf([params, query, body].map(canonical).join('\n'))
}

/** Whether a body was sent. Clients give requests of DELETE a content type without one. */
function hasBody(method: string, headers: ComparedRequest['headers']): boolean {
  const length = headers['content-length']
  if (length !== undefined) return Number(length) > 0
  const isFramed = method !== 'DELETE' || headers['transfer-encoding'] !== undefined
  return isFramed && headers['content-type'] !== undefined
}

/**
 * Returns the text of a value, with the members of objects in order. Values of different types have different texts. It
 * keeps its own stack, since JSON may be nested more deeply than functions.
 */
function canonical(root: unknown): string {
  let text = ''
  const left: ({ readonly text: string } | { readonly value: unknown })[] = [{ value: root }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('text' in next) text += next.text
    else if (Array.isArray(next.value)) {
      left.push({ text: ']' })
      for (let index = next.value.length - 1; index >= 0; index--)
        left.push({ text: ',' }, { value: next.value[index] })
      left.push({ text: '[' })
    } else if (isRecord(next.value) && isPlain(next.value)) {
      left.push({ text: '}' })
      for (const name of Object.keys(next.value).toSorted().toReversed())
        if (next.value[name] !== undefined)
          left.push({ text: ',' }, { value: next.value[name] }, { text: `${JSON.stringify(name)}:` })
      left.push({ text: '{' })
    } else text += leafOf(next.value)
  }
  return text
}

function leafOf(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === undefined) return 'u'
  if (value instanceof Date) return `d${value.getTime()}`
  if (value instanceof Uint8Array) return `b${hashOf(Buffer.from(value).toString('base64'))}`
  if (value instanceof Map) return `m${canonical([...value])}`
  if (value instanceof Set) return `s${canonical([...value])}`
  throw uncomparable(`has ${kindOf(value)}`)
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
