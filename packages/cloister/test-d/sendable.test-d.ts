/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'

import type { FastifyError } from 'cloister'

import { app, is, it } from './support.ts'

interface Row {
  id: number
}
declare const rows: readonly Row[]
declare const row: Row

const one = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const
const note = { type: 'object', properties: { text: { type: 'string' } } } as const

it('responds with a readonly array', () => {
  app.get('/a', { schema: { response: { 200: { type: 'array' } } } }, () => rows)
  app.get('/b', { schema: { response: { 200: { type: 'array', items: one } } } }, async () => rows)
  app.get('/c', { schema: { response: { 200: { type: 'array', items: one } } } }, (request, reply) =>
    reply.send(rows),
  )
  // @ts-expect-error -- not an array
  app.get('/d', { schema: { response: { 200: { type: 'array', items: one } } } }, () => row)
})

it('responds with a readonly array in a property, and with a readonly tuple', () => {
  const page = {
    type: 'object',
    properties: { rows: { type: 'array', items: one } },
    required: ['rows'],
  } as const
  app.get('/a', { schema: { response: { 200: page } } }, () => ({ rows }))
  const pair = { type: 'array', items: [{ type: 'string' }, one], minItems: 2 } as const
  app.get('/b', { schema: { response: { 200: pair } } }, () => ['x', row] as const)
})

it('reads an array of its own, which may be changed', () => {
  app.post('/', { schema: { body: { type: 'array', items: { type: 'string' } } } }, (request) => {
    is<string[]>()(request.body)
    request.body.push('x')
  })
})

it('responds with an interface where an open map is declared', () => {
  app.get('/a', { schema: { response: { 200: { type: 'object' } } } }, () => row)
  app.get('/b', { schema: { response: { 200: { type: 'object', additionalProperties: true } } } }, () => row)
  app.get('/c', { schema: { response: { 200: { ...one, additionalProperties: true } } } }, (request, reply) =>
    reply.send({ id: 1, more: 'x' }),
  )
  // @ts-expect-error -- a list is no object
  app.get('/d', { schema: { response: { 200: { type: 'object' } } } }, () => rows)
  // @ts-expect-error -- nor is a text
  app.get('/e', { schema: { response: { 200: { type: 'object' } } } }, () => 'x')
  const open = { ...one, additionalProperties: true } as const
  // @ts-expect-error -- 'id' is declared
  app.get('/f', { schema: { response: { 200: open } } }, () => ({ id: 'x' }))
})

it('reads an open map as one of unknown values', () => {
  app.post('/', { schema: { body: { type: 'object' } } }, (request) =>
    is<{ [key: string]: unknown }>()(request.body),
  )
})

it('responds with `undefined` for a property that may be left out', () => {
  const text = (): string | undefined => undefined
  app.get('/a', { schema: { response: { 200: note } } }, () => ({ text: undefined }))
  app.get('/b', { schema: { response: { 200: note } } }, () => ({ text: text() }))
  // @ts-expect-error -- a required one must be there
  app.get('/c', { schema: { response: { 200: one } } }, () => ({ id: undefined }))
})

it('reads a property that may be left out as one that is not `undefined` when it is there', () => {
  app.post('/', { schema: { body: note } }, (request) => is<{ text?: string }>()(request.body))
})

it('sends streams and bytes where a response is declared', () => {
  const file = { content: { 'text/csv': { schema: { type: 'string', format: 'binary' } } } } as const
  app.get('/a', { schema: { response: { 200: file } } }, () => Readable.from(['x']))
  app.get('/b', { schema: { response: { 200: file } } }, async () => Buffer.from('x'))
  app.get('/c', { schema: { response: { 200: one } } }, (request, reply) => reply.send(Readable.from(['x'])))
  app.get('/d', { schema: { response: { 200: one } } }, () => new ReadableStream())
  app.get('/e', { schema: { response: { 200: one } } }, () => new Response('x'))
  app.get('/f', { schema: { response: { 200: one } } }, (request, reply) => reply.send(new Uint8Array(1)))
  // @ts-expect-error -- neither a stream nor an object with an id
  app.get('/g', { schema: { response: { 200: one } } }, () => ({ pipe: true }))
})

it('responds with an error beside a declared success', () => {
  class NotFound extends Error {
    readonly statusCode = 404
  }
  const error = (): FastifyError => Object.assign(new Error('x'), { code: 'X' })
  app.get('/a', { schema: { response: { 200: one } } }, () => new Error('x'))
  app.get('/b', { schema: { response: { 200: one } } }, async (request) =>
    request.id === 'x' ? { id: 1 } : new NotFound('x'),
  )
  app.get('/c', { schema: { response: { 200: one } } }, (request, reply) => reply.send(error()))
  // @ts-expect-error -- looks like one, and is none
  app.get('/d', { schema: { response: { 200: one } } }, () => ({ message: 'x' }))
})

it('writes a bigint where a number is declared', () => {
  app.get('/a', { schema: { response: { 200: one } } }, () => ({ id: 9_007_199_254_740_993n }))
  app.get('/b', { schema: { response: { 200: { type: 'integer' } } } }, async () => 1n)
  // @ts-expect-error -- a text is no number
  app.get('/c', { schema: { response: { 200: one } } }, () => ({ id: '1' }))
})

it('reads a number, and no bigint', () => {
  app.post('/', { schema: { body: one } }, (request) => is<{ id: number }>()(request.body))
})

it('writes the JSON form of a class', () => {
  class Model {
    private readonly record = { id: 1 }
    toJSON(): Row {
      return this.record
    }
  }
  class Money {
    toJSON(): string {
      return '1 EUR'
    }
  }
  app.get('/a', { schema: { response: { 200: one } } }, () => new Model())
  app.get('/b', { schema: { response: { 200: note } } }, () => ({ text: new Money() }))
  app.get('/c', { schema: { response: { 200: note } } }, () => ({ text: new Date() }))
  // @ts-expect-error -- its JSON form is a text
  app.get('/d', { schema: { response: { 200: one } } }, () => new Money())
})

it('takes the payload of any status where the status is not known', () => {
  const response = { 200: one, '4xx': note, default: { type: 'string' } } as const
  app.get('/', { schema: { response } }, (request, reply) => {
    const status = (): number => 404
    reply.code(status()).send({ text: 'x' })
    reply.code(status()).send('x')
    // @ts-expect-error -- no status has this payload
    reply.code(status()).send(1)
  })
})

it('takes the type of the error as the first type argument of `setErrorHandler`', () => {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    is<string>()(error.code)
    return reply.code(error.statusCode ?? 500).send({ code: error.code })
  })
  app.setErrorHandler<Error & { reason: string }>(async (error) => is<string>()(error.reason))
})

it('writes the JSON form of a class within an object, a list and an open map', () => {
  class Model {
    private readonly record = { id: 1 }
    toJSON(): Row {
      return this.record
    }
  }
  const owned = { type: 'object', properties: { owner: one }, required: ['owner'] } as const
  const rows = { type: 'array', items: one } as const
  const named = { type: 'object', additionalProperties: one } as const
  app.get('/a', { schema: { response: { 200: owned } } }, () => ({ owner: new Model() }))
  app.get('/b', { schema: { response: { 200: rows } } }, async () => [new Model(), { id: 1 }])
  app.get('/c', { schema: { response: { 200: named } } }, (request, reply) => reply.send({ a: new Model() }))
  // @ts-expect-error -- a date is a text
  app.get('/d', { schema: { response: { 200: owned } } }, () => ({ owner: new Date() }))
})
