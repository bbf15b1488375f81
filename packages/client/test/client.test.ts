import { client } from '@cloister/client'
import type { Client, Head, Send } from '@cloister/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { echoApp } from './echo-app.ts'
import type { App } from './echo-app.ts'

interface Echo {
  method: string
  query: Record<string, unknown>
  type: string | null
  body: unknown
}

interface Api {
  'GET /echo': { query?: Record<string, unknown>; replies: { 200: Echo } }
  'HEAD /echo': Head<Api['GET /echo']>
  'DELETE /echo': { body?: unknown; replies: { 200: Echo } }
  'POST /echo': { content: { body?: unknown; type?: string }; replies: { 200: Echo; 415: { code: string } } }
  'GET /headers': { replies: { 200: Record<string, string> } }
  'GET /users/:id/files/*': {
    params: { id: string | number; '*': string }
    replies: { 200: { id: string; '*': string } }
  }
  'GET /at/:hour()h:minute': { params: { hour: number; minute: number }; replies: { 200: object } }
  'GET /pages/:page?': { params?: { page?: string }; replies: { 200: { page?: string } } }
  'GET /a::b': { replies: { 200: string } }
  'GET /versions version=1.2.0': {
    content: { headers: { 'accept-version': '1.2.0' } }
    replies: { 200: string }
  }
  'GET /text': { replies: { 200: string } }
  'GET /bytes': { replies: { 200: ReadableStream<Uint8Array<ArrayBuffer>> } }
  'GET /nothing': { replies: { 204: undefined } }
  'GET /empty': { replies: { 201: undefined } }
  'GET /null': { replies: { 200: null } }
  'GET /broken': { replies: { 200: unknown } }
  'GET /missing': { replies: { 200: string; 404: { message: string } } }
  'GET /failing': { replies: { 200: string; '5xx': { message: string } } }
  'GET /slow': { replies: { 200: string } }
}

/** Collects the bytes of a stream. */
async function bytesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<number[]> {
  return [...new Uint8Array(await new Response(stream).arrayBuffer())]
}

const ways = [
  { way: "a socket of Node's server", transport: 'node' },
  { way: 'a socket of the wire', transport: 'auto' },
  { way: 'app.fetch', transport: null },
] as const

describe.each(ways)('over $way', ({ transport }) => {
  let app: App
  let target: string | Send
  let api: Client<Api>

  beforeAll(async () => {
    app = echoApp(transport === null ? {} : { transport })
    target = transport === null ? app.fetch : await app.listen({ port: 0 })
    api = client<Api>(target)
  })
  afterAll(() => app.close())

  describe('a path', () => {
    it('has its parameters encoded, and keeps the slashes of a wildcard', async () => {
      const params = { id: 'a/b c?ü', '*': 'x y/ü.txt' }
      const { body } = await api('GET /users/:id/files/*', { params })
      expect(body).toEqual(params)
    })

    it('may have parameters within a segment, an optional one and a colon', async () => {
      const { body } = await api('GET /at/:hour()h:minute', { params: { hour: 12, minute: 30 } })
      expect(body).toEqual({ hour: '12', minute: '30' })
      expect((await api('GET /pages/:page?')).body).toEqual({})
      expect((await api('GET /pages/:page?', { params: { page: '2' } })).body).toEqual({ page: '2' })
      expect((await api('GET /a::b')).body).toBe('colon')
    })

    it.each(['', '.', '..'])("cannot have '%s' for a parameter, which would be another path", async (id) => {
      const call = api('GET /users/:id/files/*', { params: { id, '*': 'x' } })
      await expect(call).rejects.toThrow(new TypeError(`params.id cannot be '${id}'`))
    })

    it('is an error that names the parameter where a call without types gives none', async () => {
      const call: unknown = Reflect.apply(api, undefined, ['GET /users/:id/files/*'])
      await expect(call).rejects.toThrow(new TypeError("params.id cannot be 'undefined'"))
    })

    it('writes dates of a query, a form and headers as in JSON, and has no text for an object', async () => {
      const at = new Date(0)
      const untyped = (route: string, input: object): unknown => Reflect.apply(api, undefined, [route, input])
      const type = 'application/x-www-form-urlencoded'
      expect(await untyped('POST /echo', { query: { at, all: [at, 1] }, type, body: { at } })).toMatchObject({
        body: {
          query: { at: at.toJSON(), all: [at.toJSON(), '1'] },
          body: [['at', at.toJSON()]],
        },
      })
      expect(await untyped('GET /headers', { headers: { at } })).toMatchObject({ body: { at: at.toJSON() } })
      const text = '[object Object]'
      expect(await untyped('POST /echo', { query: { text } })).toMatchObject({ body: { query: { text } } })
      for (const where of [{ from: 1 }, new Set([1]), new Map([[1, 2]]), Promise.resolve(1)])
        for (const input of [{ query: { where } }, { query: { where: [where] } }, { headers: { where } }])
          await expect(untyped('GET /headers', input)).rejects.toThrow(
            new TypeError('where cannot be an object'),
          )
    })

    it.each(['http://localhost/v1?key=1', new URL('http://localhost/#top')])(
      'is not created for a URL with a query or fragment: %s',
      (url) => {
        expect(() => client(url)).toThrow(new TypeError("the client's URL has a query or fragment"))
      },
    )

    it('cannot escape the folder of a wildcard', async () => {
      const call = api('GET /users/:id/files/*', { params: { id: 1, '*': 'a/../../b' } })
      await expect(call).rejects.toThrow("params.* cannot be '..'")
    })
  })

  describe('a query', () => {
    it('repeats the name of a list, omits what is not given, and is encoded', async () => {
      const query = { page: 2, tags: ['a', 'b&c'], none: undefined, empty: null, on: true, 'ü=': 'ß ?' }
      const { body } = await api('GET /echo', { query })
      expect(body.query).toEqual({ page: '2', tags: ['a', 'b&c'], on: 'true', 'ü=': 'ß ?' })
    })
  })

  describe('a request body', () => {
    it.each([{ name: 'ü' }, [1, 2], 'text', 7, false, null])('%j goes as JSON', async (sent) => {
      const { body } = await api('POST /echo', { body: sent })
      expect(body).toMatchObject({ type: 'application/json', body: sent })
    })

    it('goes as text with a type that is not JSON', async () => {
      const { body } = await api('POST /echo', { type: 'text/plain', body: 'a "b"' })
      expect(body).toMatchObject({ type: 'text/plain', body: 'a "b"' })
    })

    it('goes as a form, from values or as URLSearchParams', async () => {
      const type = 'application/x-www-form-urlencoded'
      const pairs: [string, string][] = [
        ['name', 'a&b'],
        ['tag', 'x'],
        ['tag', 'y'],
      ]
      const typed = await api('POST /echo', { type, body: { name: 'a&b', tag: ['x', 'y'], none: undefined } })
      expect(typed.body).toMatchObject({ type, body: pairs })
      const own = await api('POST /echo', { body: new URLSearchParams(pairs) })
      expect(own.body).toMatchObject({ type: `${type};charset=UTF-8`, body: pairs })
    })

    it('goes as multipart with files, from values or as FormData', async () => {
      const file = new File(['content'], 'a.txt', { type: 'text/plain' })
      const typed = await api('POST /echo', {
        type: 'multipart/form-data',
        body: { title: 'ü', size: 2, file, none: undefined },
      })
      const parts = [
        ['title', 'ü'],
        ['size', '2'],
        ['file', 'a.txt', 'text/plain', 'content'],
      ]
      expect(typed.body).toMatchObject({ type: expect.stringContaining('boundary='), body: parts })
      const form = new FormData()
      form.append('file', file)
      for (const type of [undefined, 'multipart/form-data']) {
        const input = type === undefined ? { body: form } : { body: form, type }
        expect((await api('POST /echo', input)).body).toMatchObject({ body: parts.slice(2) })
      }
    })

    it.each([
      ['bytes', () => new Uint8Array([0, 1, 255])],
      ['a buffer', () => new Uint8Array([0, 1, 255]).buffer],
      ['a blob', () => new Blob([new Uint8Array([0, 1, 255])])],
      ['a stream', () => new Blob([new Uint8Array([0, 1, 255])]).stream()],
    ])('goes as %s', async (_kind, make) => {
      const { body } = await api('POST /echo', { type: 'application/octet-stream', body: make() })
      expect(body).toMatchObject({ type: 'application/octet-stream', body: [0, 1, 255] })
    })

    it('may be missing', async () => {
      const { body } = await api('DELETE /echo')
      expect(body).toEqual({ method: 'DELETE', query: {}, type: null, body: null })
    })
  })

  describe('a response', () => {
    it('of JSON, text and bytes has the value, the text and a stream', async () => {
      expect((await api('GET /null')).body).toBeNull()
      expect((await api('GET /text')).body).toBe('a,b\n1,2\n')
      expect(await bytesOf((await api('GET /bytes')).body)).toEqual([0, 1, 254, 255])
    })

    it('without content has no body', async () => {
      const { status, ok, body } = await api('GET /nothing')
      expect({ status, ok, body }).toEqual({ status: 204, ok: true, body: undefined })
      expect((await api('GET /empty')).body).toBeUndefined()
    })

    it('to HEAD has headers alone', async () => {
      const { status, headers, body } = await api('HEAD /echo')
      expect(status).toBe(200)
      expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
      expect(body).toBeUndefined()
    })

    it('that fails is a reply like others', async () => {
      const missing = await api('GET /missing')
      expect(missing).toMatchObject({ status: 404, ok: false, body: { message: 'none' } })
      const failing = await api('GET /failing')
      expect(failing).toMatchObject({ status: 500, ok: false, body: { message: 'out of order' } })
      const refused = await api('POST /echo', { type: 'application/unknown', body: 'x' })
      expect(refused).toMatchObject({ status: 415, body: { code: 'CLO_ERR_CTP_INVALID_MEDIA_TYPE' } })
    })

    it('that is no JSON against its media type has the text', async () => {
      expect((await api('GET /broken')).body).toBe('<html>')
    })
  })

  describe('a request that is aborted', () => {
    it('rejects with the reason of its signal, as the error or as its cause', async () => {
      const reason = new Error('enough')
      const reasonsOf = async (call: Promise<unknown>): Promise<unknown[]> => {
        const error: unknown = await call.then(
          () => 'resolved',
          (rejection: unknown) => rejection,
        )
        return error instanceof Error ? [error, error.cause] : [error]
      }
      expect(await reasonsOf(api('GET /slow', { signal: AbortSignal.abort(reason) }))).toContain(reason)
      const controller = new AbortController()
      const call = reasonsOf(api('GET /slow', { signal: controller.signal }))
      setTimeout(() => controller.abort(reason), 20)
      expect(await call).toContain(reason)
    })
  })

  describe('headers', () => {
    it('come from the client, as values or from a function, and from the call', async () => {
      const fixed = client<Api>(target, { headers: { Authorization: 'a', 'x-fixed': 1, none: undefined } })
      const { body } = await fixed('GET /headers', { headers: { authorization: 'b', 'x-own': 2 } })
      expect(body).toMatchObject({ authorization: 'b', 'x-fixed': '1', 'x-own': '2' })
      expect(body).not.toHaveProperty('none')
      let calls = 0
      const made = client<Api>(target, { headers: async () => ({ 'x-call': ++calls }) })
      await made('GET /headers')
      expect((await made('GET /headers')).body).toMatchObject({ 'x-call': '2' })
    })

    it('choose the version of a route', async () => {
      const { body } = await api('GET /versions version=1.2.0', { headers: { 'accept-version': '1.2.0' } })
      expect(body).toBe('one')
    })
  })
})

describe('a client', () => {
  it('adds paths to a base with a path, whatever its end', async () => {
    const urls: string[] = []
    const send = (request: Request): Promise<Response> => {
      urls.push(request.url)
      return Promise.resolve(new Response())
    }
    for (const base of ['http://a.test/v1', 'http://a.test/v1/', new URL('http://a.test/v1/')])
      await client<Api>(base, { fetch: send })('GET /text')
    expect(urls).toEqual(Array.from({ length: 3 }, () => 'http://a.test/v1/text'))
  })

  it('hands settings of fetch on, those of the call before those of the client', async () => {
    const requests: Request[] = []
    const send = (request: Request): Promise<Response> => {
      requests.push(request)
      return Promise.resolve(new Response())
    }
    const api = client<Api>('http://a.test', { fetch: send, credentials: 'omit', redirect: 'manual' })
    await api('GET /text', { redirect: 'error' })
    expect(requests[0]).toMatchObject({ credentials: 'omit', redirect: 'error' })
  })

  it('uses the global fetch of the moment of the call, and rejects with its errors', async () => {
    const api = client<Api>('http://a.test')
    const genuine = globalThis.fetch
    try {
      globalThis.fetch = () => Promise.reject(new TypeError('no network'))
      await expect(api('GET /text')).rejects.toThrow('no network')
    } finally {
      globalThis.fetch = genuine
    }
  })
})
