import { parseJson } from './json-error.ts'
import type { ParseJson } from './parse-json.ts'
import { isJson } from './request.ts'
import { StreamError } from './stream-error.ts'
import type { EventPosition, Events, Failure, ServerEvent } from './types.ts'

type Signal = AbortSignal | null | undefined

/**
 * Reads the body of a response by its media type.
 * @param signal - ends streams, whatever the function that has sent the request does with it
 */
export function readBody(response: Response, parse: ParseJson, signal: Signal): unknown {
  const type = response.headers.get('content-type') ?? ''
  const { body } = response
  if (!body) return undefined
  if (type.startsWith('text/event-stream')) return readEvents(body, parse, signal)
  if (/^application\/(x-ndjson|jsonl|json-seq)/.test(type)) return readItems(body, type, parse, signal)
  if (type.startsWith('text/')) return response.text()
  return isJson(type) ? response.text().then((text) => parseOr(text, 'body', parse)) : body
}

/** Parses JSON. Returns other text as is, and `undefined` for an empty text. */
function parseOr(text: string, what: string, parse: ParseJson): unknown {
  try {
    return parse(text, what)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return text || undefined
  }
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * Splits a stream of text into blocks; returns the text after the end of the last block. Each character is searched
 * once, however many pieces a block comes in.
 */
async function* readBlocks(body: Bytes, end: RegExp, signal: Signal): AsyncGenerator<string, string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel)
  let searched: string[] = []
  // The last characters may belong to an end whose rest has not come; the longest is `\r\n\r\n`.
  let open = ''
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) {
        // A reader that was cancelled is done, too.
        signal?.throwIfAborted()
        return searched.join('') + open
      }
      const [first = '', ...others] = (open + value).split(end)
      let last = first
      for (const other of others) {
        yield searched.join('') + last
        searched = []
        last = other
      }
      searched.push(last.slice(0, -3))
      open = last.slice(-3)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    await reader.cancel()
  }
}

/** Reads JSON items: lines, or the records of RFC 7464, where a last one without its end is an error. */
async function* readItems(
  body: Bytes,
  type: string,
  parse: ParseJson,
  signal: Signal,
): AsyncGenerator<unknown, void> {
  const lines = readBlocks(body, /\n/, signal)
  let count = 0
  try {
    for (;;) {
      const { done, value } = await lines.next()
      const text = value.replace('\u001E', '').trim()
      if (text && done && /seq/.test(type)) throw new TypeError('the last item is cut')
      if (text) yield parseJson(text, `item ${++count}`, parse)
      if (done) return
    }
  } finally {
    await lines.return('')
  }
}

/** Reads server-sent events (HTML Living Standard, section 9.2.6). */
function readEvents(body: Bytes, parse: ParseJson, signal: Signal): Events<unknown> {
  const position: EventPosition = { lastEventId: '', retry: undefined }
  return Object.assign(parseEvents(body, parse, position, signal), { position })
}

async function* parseEvents(
  body: Bytes,
  parse: ParseJson,
  position: { -readonly [K in keyof EventPosition]: EventPosition[K] },
  signal: Signal,
): AsyncGenerator<ServerEvent<unknown>, void> {
  let count = 0
  for await (const block of readBlocks(body, /\r?\n\r?\n|\r\r/, signal)) {
    const fields: Record<string, string[]> = {}
    for (const [, field = '', text = ''] of block.matchAll(/^(event|data|id|retry)(?:: ?([^\r\n]*))?$/gm))
      (fields[field] ??= []).push(text)
    const id = (position.lastEventId = fields['id']?.at(-1) ?? position.lastEventId)
    const retry = fields['retry']?.at(-1)
    if (retry && !/\D/.test(retry)) position.retry = Number(retry)
    if (!fields['data']) continue
    const event = fields['event']?.at(-1) || 'message'
    const data = parseOr(fields['data'].join('\n'), `event ${++count}`, parse)
    if (event === 'error' && isFailure(data)) throw new StreamError(data)
    yield { event, id, data }
  }
}

/** Whether the data of an event is the error that ends a stream of the framework. */
function isFailure(data: unknown): data is Failure {
  return typeof data === 'object' && data !== null && 'statusCode' in data && 'message' in data
}
