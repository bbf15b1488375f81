// Forms whose bytes arrive in pieces of any length.
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openRequest } from '../harness/send.ts'
import { useApps } from '../harness/transports.ts'
import { FORM_TYPE, formBody } from './form-body.ts'

const schema = z.object({
  photo: z.file(),
  docs: z.array(z.union([z.file(), z.string()])),
  title: z.string(),
  note: z.string(),
})

const BODY = formBody([
  { name: 'photo', value: '\r\n--form\r\n'.repeat(20), filename: 'a.jpg', type: 'image/jpeg' },
  { name: 'docs', value: 'first', filename: 'b.txt', type: 'text/plain' },
  { name: 'docs', value: 'second' },
  { name: 'docs', value: '', filename: 'c.txt', type: 'text/plain' },
  { name: 'title', value: 'é' },
  { name: 'note', value: '\r\n' },
])

const SENT = [
  ['photo', 'a.jpg 200'],
  ['docs', ['b.txt 5', 'second', 'c.txt 0']],
  ['title', 'é'],
  ['note', '\r\n'],
]

const shown = (value: unknown): unknown => {
  if (value instanceof File) return `${value.name} ${value.size}`
  return Array.isArray(value) ? value.map(shown) : value
}

const piecesOf = (length: number): Buffer[] =>
  Array.from({ length: Math.ceil(BODY.length / length) }, (_, index) =>
    BODY.subarray(index * length, (index + 1) * length),
  )

describe('a form in pieces', () => {
  const createApp = useApps({ logger: false })
  const headers = { 'content-type': FORM_TYPE }

  it.each([1, 2, 7, 64, 101, 256, BODY.length])(
    'gives its parts in their order, by %i bytes at a time',
    async (length) => {
      const app = createApp()
      const body = { content: { 'multipart/form-data': { schema } } }
      app.post('/', { schema: { body } }, ({ body: form }) =>
        Object.entries(Object(form)).map(([name, value]) => [name, shown(value)]),
      )
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const init: RequestInit & { readonly duplex: 'half' } = {
        method: 'POST',
        headers,
        body: readable,
        duplex: 'half',
      }
      const fetched = app.fetch(new Request('http://localhost/', init))
      for (const piece of piecesOf(length)) {
        await writer.write(piece)
        await setImmediate()
      }
      await writer.close()
      expect(await (await fetched).json()).toEqual(SENT)

      const request = await openRequest(app, { method: 'POST', path: '/', headers })
      const responded = once(request, 'response')
      for (const piece of piecesOf(length)) {
        request.write(piece)
        await setImmediate()
      }
      request.end()
      const [response] = await responded
      expect(JSON.parse(await text(response))).toEqual(SENT)
    },
  )
})
