import { memoryState } from '@cloister/state'
import { expect, it } from 'vitest'
import { createApp } from '../src/app.ts'

it('clients of both processes get a note once, also if it is sent again', async () => {
  const state = memoryState()
  const [one, two] = [await createApp(state), await createApp(state)]
  const readers = await Promise.all(
    [one, two].map(async (app) => {
      const { body } = await app.fetch(new Request('http://localhost/rooms/blue/notes'))
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader?.read())?.value).toMatch(/^id: \S+\n\n$/)
      return reader
    }),
  )
  const send = async (app: typeof one): Promise<unknown> => {
    const headers = { 'idempotency-key': '1' }
    const response = await app.inject({
      method: 'POST',
      url: '/rooms/blue/notes',
      headers,
      payload: { text: 'hello' },
    })
    return [response.statusCode, response.json()]
  }
  expect(await send(one)).toEqual([202, { pid: process.pid }])
  expect(await send(two)).toEqual([202, { pid: process.pid }])
  for (const reader of readers)
    expect((await reader?.read())?.value).toMatch(/^event: message\nid: \S+\ndata: \{"text":"hello"\}\n\n$/)
  await one.close()
  await two.close()
  for (const reader of readers) expect((await reader?.read())?.value).toBe('retry: 1000\n\n')
})
