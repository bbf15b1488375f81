import type { LogEntry, LogPage } from './types.ts'

/**
 * The id of an entry: when its log began, and the number of the entry in it, from 1 on without holes. So a missing entry
 * shows, and the ids of a log that was lost are not those of the next one.
 */
export interface Cursor {
  readonly epoch: number
  readonly number: number
}

/** The cursor before the first entry of a log. */
export const LOG_START = '0-0'

/** Returns the id as a text. */
export const cursorText = ({ epoch, number }: Cursor): string => `${epoch}-${number}`

/** Returns the cursor of a text; `null` for a text that is none. */
export function cursorOf(text: string): Cursor | null {
  const [, epoch, number] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  return epoch === undefined ? null : { epoch: Number(epoch), number: Number(number) }
}

/**
 * Returns a page of a log. Entries behind a cursor may be missing if they were removed, or if the cursor is of another
 * log or of one that was lost. Reading then begins at the oldest kept entry.
 *
 * @param head - the cursor behind the newest entry; `null` for a log that does not exist: it had no entries, or they
 *   have expired
 * @param first - the number of the oldest kept entry; one more than that of the newest if none is kept
 */
export function pageOf(
  after: string | null,
  head: Cursor | null,
  first: number,
  entries: readonly LogEntry[],
): LogPage {
  if (head === null) return { entries: [], gone: after !== null && after !== LOG_START, last: LOG_START }
  const cursor = after === null ? null : cursorOf(after)
  const isKnown = after === LOG_START || (cursor?.epoch === head.epoch && cursor.number <= head.number)
  const isKept = (cursor?.number ?? 0) + 1 >= first
  return { entries, gone: after !== null && !(isKnown && isKept), last: cursorText(head) }
}
