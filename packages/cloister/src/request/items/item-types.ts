const TYPES = [
  'text/event-stream',
  'application/x-ndjson',
  'application/jsonl',
  'application/json-seq',
] as const

/** The media types of streams of items; `item-formats.ts` has how each is written. */
export type ItemType = (typeof TYPES)[number]

/** The same as a set. */
export const ITEM_TYPES: ReadonlySet<string> = new Set(TYPES)
