/** The media types of streams of items. */
export type ItemType =
  | 'text/event-stream'
  | 'application/x-ndjson'
  | 'application/jsonl'
  | 'application/json-seq'

/** The media types of streams of items; `item-formats.ts` has how each is written. */
export const ITEM_TYPES: ReadonlySet<string> = new Set<ItemType>([
  'text/event-stream',
  'application/x-ndjson',
  'application/jsonl',
  'application/json-seq',
])
