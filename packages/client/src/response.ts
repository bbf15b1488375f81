import { isJson } from './request.ts'
import type { ServerEvent } from './types.ts'

/** Reads the body of a response by its media type. */
export function readBody(response: Response): unknown {
  const type = response.headers.get('content-type') ?? ''
  const [isText, isEvents] = /^text\/(event-stream)?/.exec(type) ?? []
  const { body } = response
  if (!body) return undefined
  if (isEvents) return readEvents(body)
  if (isText) return response.text()
  return isJson(type) ? response.text().then(parse) : body
}

/** Parses JSON. Other text stays as it is, and none is `undefined`. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}

/** Reads server-sent events as the HTML Living Standard says (section 9.2.6). */
async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent<unknown>, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let id = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value).split(/\r?\n\r?\n|\r\r/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields: Record<string, string[]> = {}
        for (const [, field = '', text = ''] of block.matchAll(/^(event|data|id)(?:: ?([^\r\n]*))?$/gm))
          (fields[field] ??= []).push(text)
        const { event = [''], data } = fields
        id = fields['id']?.at(-1) ?? id
        if (data) yield { event: event.at(-1) || 'message', id, data: parse(data.join('\n')) }
      }
    }
  } finally {
    await reader.cancel()
  }
}
