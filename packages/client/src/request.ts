import { writeJson } from './write-json.ts'

/** The untyped input of a call. */
export interface CallInput extends Omit<RequestInit, 'headers' | 'body'> {
  readonly params?: Values
  readonly query?: Values
  readonly headers?: Values
  /** values for JSON or a form, or a body for `fetch` */
  readonly body?: Values | RawInit
  readonly type?: string
}

/** Items of a body with one JSON text per line. */
type ItemSource = AsyncIterable<unknown> | unknown[]

/** A body for `fetch`; not every platform has a name for this type. */
type RawInit = NonNullable<RequestInit['body']>

/** A value in a path, query, header or form. The platform converts everything but files to text. */
type Value = string | number | bigint | boolean | Blob
type Given = Value | Date
type Values = Readonly<Record<string, Given | readonly Given[] | null | undefined>>

/**
 * Fills in the parameters of a path.
 *
 * @throws TypeError for an empty value, `.` and `..`: URLs drop such segments, and the request would reach another
 * route; for an object, which has no text
 */
export function fillPath(path: string, params: Values = {}): string {
  // Matches a doubled colon; a parameter with its slash, which is omitted with an optional parameter; a wildcard.
  const places = /::|(\/?):([^-(./?]+)(?:\(\))?(\?)?|\*/g
  return path.replace(places, (place: string, slash: string = '', name: string = '*', optional?: string) => {
    const values = [params[name] ?? ''].flat()
    const text = values.map((value) => textual(name, value)).join()
    if (place === '::') return ':'
    if (optional && !text) return ''
    return text.replace(place === '*' ? /[^/]+/g : /.*/s, (part) => {
      if (/^\.{0,2}$/.test(part))
        throw new TypeError(`params.${name} cannot be '${part || String(params[name])}'`)
      return slash + encodeURIComponent(part)
    })
  })
}

/** The target for names and values: a query, a form or headers. */
interface Target {
  append(name: string, value: Value): unknown
  set(name: string, value: Value): unknown
}

/**
 * Adds names and values. A list adds several values; `undefined` and `null` add none.
 *
 * @throws TypeError for an object, which has no text; RangeError for an invalid date
 */
export function fill<T extends Target>(
  target: T,
  values: Values | string = {},
  method: keyof Target = 'append',
): T {
  for (const [name, value] of Object.entries(values))
    for (const one of [value].flat()) if (one != null) target[method](name, textual(name, one))
  return target
}

/**
 * Returns what is sent for a value. Dates are written as in JSON.
 *
 * @throws TypeError for an object, which has no text; RangeError for an invalid date
 */
function textual(name: string, value: Given): Value {
  if (Object(value) === value && /^\[object (?!Blob|File)/.test(String(value)))
    throw new TypeError(`${name} cannot be an object`)
  return value instanceof Date ? value.toISOString() : value
}

/** Whether `fetch` takes a body as is: bytes, streams and forms have a tag, JSON values have none. */
function isRaw(body: Values | RawInit): body is Exclude<RawInit, string> {
  return Symbol.toStringTag in Object(body)
}

/** Whether a body is a list or an async iterable of items; a stream contains bytes. */
function isItems(body: unknown): body is ItemSource {
  const isLate = Symbol.asyncIterator in Object(body) && !('getReader' in Object(body))
  return isLate || Array.isArray(body)
}

/** Writes items as lines. Pulls those of an async iterable while the body is sent. */
function encodeItems(items: ItemSource): RawInit {
  const line = (item: unknown): string => `${writeJson(item)}\n`
  if (Array.isArray(items)) return items.map(line).join('')
  const iterator: AsyncIterator<unknown, unknown> = items[Symbol.asyncIterator]()
  return new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(line(value))
    },
    cancel: () => void iterator.return?.(),
  }).pipeThrough(new TextEncoderStream())
}

/** Encodes the body for its media type, and sets the header unless `fetch` sets it. */
export function encodeBody({ body, type = '' }: CallInput, headers: Headers): RawInit | null {
  if (body === undefined) return null
  const isForm = type.startsWith('multipart')
  if (/x-ndjson|jsonl/.test(type) && isItems(body)) {
    headers.set('content-type', type)
    return encodeItems(body)
  }
  const raw = isRaw(body)
  // `fetch` chooses the boundary of a form, and knows the types of its own objects.
  if (!isForm && (type || !raw)) headers.set('content-type', type || 'application/json')
  if (raw || (typeof body === 'string' && !isJson(type))) return body
  const target = isForm ? new FormData() : /urlencoded/.test(type) && new URLSearchParams()
  return target ? fill(target, body) : writeJson(body)
}

/** Whether a media type is JSON or missing. */
export function isJson(type: string): boolean {
  return !type || /[/+]json\b/.test(type)
}
