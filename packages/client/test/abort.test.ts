// Calls that are aborted while their response is read, after Node has collected the request.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { client } from '@cloister/client'
import type { ClientOptions, Events, Items } from '@cloister/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Api {
  'GET /events': { replies: { 200: Events<number> } }
  'GET /lines': { replies: { 200: Items<number> } }
  'GET /bytes': { replies: { 200: ReadableStream<Uint8Array> } }
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const BEGINNINGS: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/events': ['text/event-stream', 'data: 1\n\n'],
  '/lines': ['application/x-ndjson', '1\n'],
  '/bytes': ['application/octet-stream', 'begin'],
}

/** Begins responses and does not end them. */
const server = createServer(({ url = '' }, response) => {
  const [type, text] = BEGINNINGS[url] ?? ['text/plain', '']
  response.writeHead(200, { 'content-type': type })
  response.write(text)
})
let origin = ''
beforeAll(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  origin = `http://127.0.0.1:${Object(server.address()).port}`
})
afterAll(() => server.closeAllConnections())

/** Aborts a call after a collection; returns the name of the error that ends it. */
async function abortLate(read: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const controller = new AbortController()
  const ended = read(controller.signal).then(
    () => 'no error',
    (error: unknown) => Reflect.get(Object(error), 'name'),
  )
  await sleep(50)
  for (let turn = 0; turn < 3; turn += 1) {
    collect()
    await sleep(5)
  }
  controller.abort()
  return Promise.race([ended, sleep(2000).then(() => 'it goes on')])
}

async function readAll(list: AsyncIterable<unknown>): Promise<void> {
  for await (const _one of list);
}

describe.each([
  ['fetch', {}],
  ['a function around it', { fetch: (request: Request) => fetch(new Request(request)) }],
] satisfies [string, ClientOptions][])('a call that is aborted late, by %s', (_name, options) => {
  it.each(['GET /events', 'GET /lines'] as const)('ends what comes of %s', async (route) => {
    const api = client<Api>(origin, options)
    const read = async (signal: AbortSignal): Promise<void> => {
      const reply = await api(route, { signal })
      if (reply.status === 200) await readAll(reply.body)
    }
    expect(await abortLate(read)).toBe('AbortError')
  })
})

it('a call that is aborted late ends a stream of bytes', async () => {
  const api = client<Api>(origin)
  const read = async (signal: AbortSignal): Promise<void> => {
    const reply = await api('GET /bytes', { signal })
    if (reply.status === 200) await readAll(reply.body)
  }
  expect(await abortLate(read)).toBe('AbortError')
})
