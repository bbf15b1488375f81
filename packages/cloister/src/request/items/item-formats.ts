import type { ItemType } from './item-types.ts'
import { createError } from '../../errors.ts'
import type { EventFields, ServerSentEvent } from '../../types/replies.ts'

/** The events that {@link sse} makes. */
class EventItem<Data> implements ServerSentEvent<Data> {
  readonly fields: EventFields<Data>
  readonly head: string

  /** @throws `CLO_ERR_SSE_FIELD_INVALID` for a field that clients would read differently */
  constructor(fields: EventFields<Data>) {
    this.fields = fields
    this.head = formatHead(fields)
  }

  /** @throws a TypeError: an event that is sent as JSON would lose its meaning */
  toJSON(): never {
    throw new TypeError(
      "an event of sse() has no JSON; yield it from a generator, and declare content: { 'text/event-stream': { schema } } for the response",
    )
  }
}

/**
 * Makes a server-sent event with more than its data. Yield it from a handler whose response is `text/event-stream`.
 *
 * @throws `CLO_ERR_SSE_FIELD_INVALID` when a field would not arrive as it is
 * @example
 * ```ts
 * import { cloister, sse } from 'cloister'
 *
 * const app = cloister()
 * app.get(
 *   '/ticks',
 *   { schema: { response: { 200: { content: { 'text/event-stream': { schema: { type: 'number' } } } } } } },
 *   async function* () {
 *     yield sse({ data: 1, event: 'tick', id: 1 })
 *   },
 * )
 * ```
 */
export function sse<Data = never>(fields: EventFields<Data>): ServerSentEvent<Data> {
  return new EventItem(fields)
}

/**
 * A line end within a field would start the next field; clients ignore an id with a NUL (WHATWG HTML section 9.2.6).
 */
const BREAKS = /[\r\n\0]/
const LINE_END = /\r\n|\r|\n/

const FIELDS: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry', 'comment'])

function formatHead(fields: EventFields<unknown>): string {
  const { event, id, retry, comment } = fields
  for (const name of Object.keys(fields)) {
    if (!FIELDS.has(name)) refuse(name, `is not one of ${[...FIELDS].join(', ')}`)
  }
  let head = ''
  if (comment !== undefined) head += prefixLines(': ', comment)
  if (event !== undefined) head += `event: ${oneLine('event', event)}\n`
  if (id !== undefined) head += `id: ${oneLine('id', String(id))}\n`
  if (retry !== undefined) {
    if (!Number.isSafeInteger(retry) || retry < 0) refuse('retry', 'is no whole number of milliseconds')
    head += `retry: ${retry}\n`
  }
  return head
}

function oneLine(field: string, text: string): string {
  if (BREAKS.test(text)) refuse(field, 'contains a line end or a NUL')
  return text
}

function refuse(field: string, reason: string): never {
  throw createError('SSE_FIELD_INVALID', { field, reason })
}

/** Puts a prefix before each line of a text. */
function prefixLines(prefix: string, text: string): string {
  return text
    .split(LINE_END)
    .map((line) => `${prefix}${line}\n`)
    .join('')
}

/** Writes the JSON of an item by its schema. */
export type WriteItem = (item: unknown) => string

/** How the items of a generator become the content of a response. */
export interface ItemFormat {
  /** headers that the application can override */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly encode: (item: unknown, write: WriteItem) => string
  /** keeps a silent connection open; `null` if clients of this format ignore nothing */
  readonly heartbeat: string | null
  /** the last piece of incomplete content; `null` if only a closed connection shows it */
  readonly encodeFailure: ((failure: object) => string) | null
}

/** A serializer of the application may write JSON on several lines. Between tokens, a blank means the same. */
const inOneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json)

function encodeEvent(item: unknown, write: WriteItem): string {
  if (!(item instanceof EventItem)) return `data: ${inOneLine(write(item))}\n\n`
  const { fields, head } = item
  if (fields.data !== undefined) return `${head}data: ${inOneLine(write(fields.data))}\n\n`
  // Clients drop an event without a line of data (WHATWG HTML section 9.2.6).
  return fields.event === undefined ? `${head}\n` : `${head}data:\n\n`
}

const LINES: ItemFormat = {
  headers: [],
  encode: (item, write) => `${inOneLine(write(item))}\n`,
  heartbeat: null,
  encodeFailure: null,
}

/** The formats for the items of generators, by media type. */
export const ITEM_FORMATS: ReadonlyMap<string, ItemFormat> = new Map<ItemType, ItemFormat>([
  [
    'text/event-stream',
    {
      // Caches and proxies must not buffer the events; the second header is for nginx.
      headers: [
        ['cache-control', 'no-cache'],
        ['x-accel-buffering', 'no'],
      ],
      encode: encodeEvent,
      heartbeat: ':\n\n',
      encodeFailure: (failure) => `event: error\n${prefixLines('data: ', JSON.stringify(failure))}\n`,
    },
  ],
  ['application/x-ndjson', LINES],
  ['application/jsonl', LINES],
  [
    // RFC 7464: each text begins with a record separator.
    'application/json-seq',
    { ...LINES, encode: (item, write) => `\u001E${LINES.encode(item, write)}` },
  ],
])
