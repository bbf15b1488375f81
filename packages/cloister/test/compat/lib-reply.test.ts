import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import RawReply from '../../src/compat/lib-reply.ts'

/** What a client gets when `send` sends through a reply around the raw response. */
async function responseTo(
  received: (reply: RawReply) => void,
): Promise<{ status: number; type: string | null; text: string }> {
  const server = createServer((raw, response: ServerResponse) =>
    received(new RawReply(response, { raw }, null)),
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  try {
    const response = await fetch(`http://127.0.0.1:${port}`)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  } finally {
    server.close()
  }
}

it('sends objects as JSON, text as text and bytes as bytes', async () => {
  expect(await responseTo((reply) => reply.code(201).send({ a: 1 }))).toEqual({
    status: 201,
    type: 'application/json; charset=utf-8',
    text: '{"a":1}',
  })
  expect(await responseTo((reply) => reply.send('text'))).toMatchObject({ type: 'text/plain; charset=utf-8' })
  expect(await responseTo((reply) => reply.send(Buffer.from('bytes')))).toMatchObject({
    type: 'application/octet-stream',
    text: 'bytes',
  })
})

it('keeps a content type that was set, and ends without a payload', async () => {
  expect(await responseTo((reply) => reply.type('text/html').send('<p>'))).toMatchObject({
    type: 'text/html',
  })
  expect(await responseTo((reply) => reply.status(204).send())).toEqual({ status: 204, type: null, text: '' })
})

it('streams, and responds with 500 for a stream that fails before the first byte', async () => {
  expect(await responseTo((reply) => reply.send(Readable.from(['a', 'b'])))).toMatchObject({ text: 'ab' })
  const failing = new Readable({
    read() {
      this.destroy(new Error('no bytes'))
    },
  })
  const failed = await responseTo((reply) => reply.send(failing))
  expect(failed.status).toBe(500)
  expect(JSON.parse(failed.text)).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    message: 'no bytes',
  })
})

it('responds to an Error with the status it carries', async () => {
  const error = Object.assign(new Error('gone'), { statusCode: 410 })
  const received = await responseTo((reply) => reply.send(error))
  expect(received.status).toBe(410)
  expect(JSON.parse(received.text)).toEqual({ statusCode: 410, error: 'Gone', message: 'gone' })
})
