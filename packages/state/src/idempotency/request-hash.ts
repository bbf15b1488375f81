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

/** What is left to write of a value: a text, a value, or the end of a container, which may then occur again. */
type Left = { readonly text: string; readonly closes?: object } | { readonly value: unknown }

/**
 * Returns the text of a value, with the members of objects in order. Values of different types have different texts. It
 * keeps its own stack, since JSON may be nested more deeply than functions.
 *
 * @throws IdempotencyRefusal `CLO_ERR_IDEMPOTENCY_BODY` for a value that contains itself, as parsers of forms may make
 */
function canonical(root: unknown): string {
  let text = ''
  const open = new Set<object>()
  const left: Left[] = [{ value: root }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('text' in next) {
      text += next.text
      if (next.closes !== undefined) open.delete(next.closes)
    } else {
      const parts = partsOf(next.value)
      if (parts === null) {
        text += leafOf(next.value)
        continue
      }
      const { container, begin, end, members } = parts
      if (open.has(container)) throw uncomparable('contains itself')
      open.add(container)
      text += begin
      left.push({ text: end, closes: container })
      for (const { label, value } of members.toReversed())
        left.push({ text: ',' }, { value }, { text: label })
    }
  }
  return text
}

interface Parts {
  readonly container: object
  readonly begin: string
  readonly end: string
  readonly members: readonly { readonly label: string; readonly value: unknown }[]
}

/** Returns what a container has; `null` for a value that has no members. */
function partsOf(value: unknown): Parts | null {
  if (Array.isArray(value)) return listOf(value, value, '[')
  if (value instanceof Map) return listOf(value, [...value], 'm[')
  if (value instanceof Set) return listOf(value, [...value], 's[')
  if (!isRecord(value) || !isPlain(value)) return null
  const members = Object.keys(value)
    .toSorted()
    .filter((name) => value[name] !== undefined)
    .map((name) => ({ label: `${JSON.stringify(name)}:`, value: value[name] }))
  return { container: value, begin: '{', end: '}', members }
}

function listOf(container: object, values: readonly unknown[], begin: string): Parts {
  return { container, begin, end: ']', members: Array.from(values, (value) => ({ label: '', value })) }
}

function leafOf(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === undefined) return 'u'
  if (value instanceof Date) return `d${value.getTime()}`
  if (value instanceof Uint8Array) return `b${hashOf(Buffer.from(value).toString('base64'))}`
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
