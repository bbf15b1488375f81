import type { CallToolResult } from '@modelcontextprotocol/server'

import { isRecord } from './errors.ts'

/** Gets each item as it comes. */
export type Progress = (count: number, item: string) => Promise<void>

/** Whether a media type is one of streams of items: events, lines or records of JSON. */
export function isItems(mediaType: string): boolean {
  return /^(?:text\/event-stream|application\/(?:x-ndjson|jsonl|json-seq))\s*(?:;|$)/i.test(mediaType)
}

/**
 * Reads a stream of items to its end.
 *
 * @param limit - most bytes of the whole stream
 * @returns the JSON text of the list of items; or the result that says why the stream has ended early, with those
 *   that came before
 */
export async function readItems(
  response: Response,
  where: string,
  limit: number,
  progress: Progress | null,
): Promise<string | CallToolResult> {
  const items: string[] = []
  try {
    for await (const item of itemsOf(response, limit)) {
      items.push(item)
      await progress?.(items.length, item)
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const text = `${where}: the stream has ended after ${items.length} items: ${why}\n[${items.join(',')}]`
    return { isError: true, content: [{ type: 'text', text }] }
  }
  return `[${items.join(',')}]`
}

async function* itemsOf({ body, headers }: Response, limit: number): AsyncGenerator<string, void> {
  if (body === null) return
  const isEvents = headers.get('content-type')?.startsWith('text/event-stream') === true
  for await (const { block, isWhole } of blocksOf(body, isEvents ? /\r\n\r\n|\n\n|\r\r/ : /\n/, limit)) {
    const item = isEvents ? dataOf(block) : block.replace('\u001E', '').trim()
    // An event without its end is none.
    if (item === null || item === '' || (isEvents && !isWhole)) continue
    if (isJson(item)) yield item
    else if (isWhole) yield JSON.stringify(item)
    else throw new TypeError('the last item is cut')
  }
}

interface Block {
  readonly block: string
  /** Whether its end has come. */
  readonly isWhole: boolean
}

/** Splits a stream of text. Each character is searched once, however many pieces a block comes in. */
async function* blocksOf(
  body: ReadableStream<Uint8Array>,
  end: RegExp,
  limit: number,
): AsyncGenerator<Block, void> {
  const decoder = new TextDecoder()
  let size = 0
  let searched = ''
  // The last characters may begin an end whose rest has not come.
  let open = ''
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw new RangeError(`the payload is larger than ${limit} bytes`)
    const parts = (open + decoder.decode(chunk, { stream: true })).split(end)
    const last = parts.pop() ?? ''
    for (const part of parts) {
      yield { block: searched + part, isWhole: true }
      searched = ''
    }
    searched += last.slice(0, -3)
    open = last.slice(-3)
  }
  yield { block: searched + open + decoder.decode(), isWhole: false }
}

/**
 * Returns the data of an event (HTML Living Standard, section 9.2.6), `null` for one without.
 *
 * @throws Error for the event with which the framework ends a stream that has failed
 */
function dataOf(block: string): string | null {
  const lines = block.split(/\r\n|\n|\r/)
  const valuesOf = (name: string): string[] =>
    lines.flatMap((line) =>
      line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
    )
  const data = valuesOf('data')
  if (data.length === 0) return null
  const text = data.join('\n')
  if (valuesOf('event').at(-1) !== 'error' || !isJson(text)) return text
  const failure: unknown = JSON.parse(text)
  if (!isRecord(failure) || failure['statusCode'] === undefined) return text
  throw new Error(String(failure['message']))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
