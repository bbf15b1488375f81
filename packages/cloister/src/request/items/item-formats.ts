import { EventItem, prefixLines } from './sse.ts'

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
const inOneLine = (json: string): string => (json.includes('\n') ? json.replaceAll(/[\r\n]+/g, ' ') : json)

function encodeEvent(item: unknown, write: WriteItem): string {
  if (!(item instanceof EventItem)) return `data: ${inOneLine(write(item))}\n\n`
  const { fields, head } = item
  return fields.data === undefined ? `${head}\n` : `${head}data: ${inOneLine(write(fields.data))}\n\n`
}

const LINES: ItemFormat = {
  headers: [],
  encode: (item, write) => `${inOneLine(write(item))}\n`,
  heartbeat: null,
  encodeFailure: null,
}

/** The formats for the items of generators, by media type. */
export const ITEM_FORMATS: ReadonlyMap<string, ItemFormat> = new Map<string, ItemFormat>([
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
