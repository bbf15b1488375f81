import { once } from 'node:events'
import { Readable } from 'node:stream'

import { client } from '@cloister/client'
import type { Events, ServerEvent } from '@cloister/client'
import { cloister } from 'cloister'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

interface Api {
  'GET /events': { replies: { 200: Events<unknown> } }
}

/** Reads events that come in these chunks. */
async function read(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<ServerEvent<unknown>[]> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  const api = client<Api>(() => Promise.resolve(new Response(stream, { headers })))
  const { body } = await api('GET /events')
  const events: ServerEvent<unknown>[] = []
  for await (const event of body) events.push(event)
  return events
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const readText = (text: string): Promise<ServerEvent<unknown>[]> => read([bytes(text)])

describe('events', () => {
  it('have data: JSON as a value, other text as it is', async () => {
    const events = await readText('data: {"n":1}\n\ndata: [1,\ndata: 2]\n\ndata: plain: text\n\ndata:5\n\n')
    expect(events.map(({ data }) => data)).toEqual([{ n: 1 }, [1, 2], 'plain: text', 5])
  })

  it('have a type, which holds for one, and the last id, which stays', async () => {
    const text = 'event: added\nid: 7\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n'
    expect(await readText(text)).toEqual([
      { event: 'added', id: '7', data: 1 },
      { event: 'message', id: '7', data: 2 },
      { event: 'message', id: '', data: 3 },
    ])
  })

  it('come from blocks with data that are complete; comments and other fields are passed over', async () => {
    const text = '\uFEFF: hello\n\nevent: none\n\nretry: 10\nother: x\n__proto__: y\ndata: 1\n\ndata: cut'
    expect(await readText(text)).toEqual([{ event: 'message', id: '', data: 1 }])
  })

  it('are the same however the bytes are cut and lines end', async () => {
    const lines = [
      'event: ü',
      'data: {"text":"\u2028 ☃"}',
      'data:',
      '',
      ': note',
      'id: 1',
      'data: second',
      '',
      '',
    ]
    const expected = [
      { event: 'ü', id: '', data: { text: '\u2028 ☃' } },
      { event: 'message', id: '1', data: 'second' },
    ]
    const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('\n', '\r\n', '\r'), cuts, async (end, places) => {
        const all = bytes(lines.join(end))
        const at = [0, ...places.toSorted((a, b) => a - b).filter((place) => place < all.length), all.length]
        const chunks = at.slice(1).map((place, index) => all.slice(at[index], place))
        expect(await read(chunks)).toEqual(expected)
      }),
    )
  })

  it('come over a socket one by one; leaving the loop ends the connection', async () => {
    const app = cloister()
    const source = new Readable({ read() {} })
    app.get('/events', (_request, reply) => reply.type('text/event-stream').send(source))
    const api = client<Api>(await app.listen({ port: 0 }))
    try {
      source.push('data: {"n":1}\n\n')
      const { body } = await api('GET /events')
      const closed = once(source, 'close')
      for await (const { data } of body) {
        expect(data).toEqual({ n: 1 })
        break
      }
      await closed
      expect(source.destroyed).toBe(true)
    } finally {
      await app.close()
    }
  })

  it('end with the reason of a signal', async () => {
    const app = cloister()
    const source = new Readable({ read() {} })
    source.push('data: 1\n\n')
    app.get('/events', (_request, reply) => reply.type('text/event-stream').send(source))
    const api = client<Api>(await app.listen({ port: 0 }))
    try {
      const controller = new AbortController()
      const { body } = await api('GET /events', { signal: controller.signal })
      const reason = new Error('enough')
      const loop = async (): Promise<void> => {
        for await (const { data } of body) {
          expect(data).toBe(1)
          controller.abort(reason)
        }
      }
      await expect(loop()).rejects.toBe(reason)
    } finally {
      await app.close()
    }
  })
})
