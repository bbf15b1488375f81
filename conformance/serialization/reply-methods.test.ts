import { callFunction, callMember } from '../call-member.ts'
import type { App, Reply } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeBehind } from '../harness/transports.ts'

const only = (name: string): object => ({ type: 'object', properties: { [name]: { type: 'string' } } })
const VALUE = { a: 'a', b: 'b', c: 'c' }
const RESPONSE = {
  200: only('a'),
  '4xx': only('b'),
  201: {
    content: { 'application/json': { schema: only('a') }, 'application/vnd.v1+json': { schema: only('b') } },
  },
}

describeBehind('serialization by hand in a reply', ({ createApp, send, it, expect }) => {
  /** Runs `step` in a handler of a route with response schemas, and gives what it returned. */
  const inReply = async (step: (reply: Reply) => unknown, app: App = createApp()): Promise<unknown> => {
    let result: unknown
    app.get('/', { schema: { response: RESPONSE } }, async (_request, reply) => {
      result = await step(reply)
      return 'ran'
    })
    expect((await send(app, { path: '/' })).text).toBe('ran')
    return result
  }

  it('gives the serializer of a status', async () => {
    const result = await inReply((reply) => [
      callFunction(callMember(reply, 'getSerializationFunction', 200), VALUE),
      callFunction(callMember(reply, 'getSerializationFunction', '200'), VALUE),
      callFunction(callMember(reply, 'getSerializationFunction', '4xx'), VALUE),
    ])
    expect(result).toEqual(['{"a":"a"}', '{"a":"a"}', '{"b":"b"}'])
  })

  it('gives the serializer of a status and a content type', async () => {
    const result = await inReply((reply) => [
      callFunction(callMember(reply, 'getSerializationFunction', 201, 'application/json'), VALUE),
      callFunction(callMember(reply, 'getSerializationFunction', 201, 'application/vnd.v1+json'), VALUE),
    ])
    expect(result).toEqual(['{"a":"a"}', '{"b":"b"}'])
  })

  it('gives nothing for what has no serializer', async () => {
    const result = await inReply((reply) => [
      callMember(reply, 'getSerializationFunction', 500) ?? null,
      callMember(reply, 'getSerializationFunction', only('c')) ?? null,
      callMember(reply, 'getSerializationFunction', 201, 'text/html') ?? null,
    ])
    expect(result).toEqual([null, null, null])
  })

  it('compiles a schema once', async () => {
    const schema = only('c')
    const result = await inReply((reply) => {
      const serialize = callMember(reply, 'compileSerializationSchema', schema)
      return [
        callFunction(serialize, VALUE),
        callMember(reply, 'compileSerializationSchema', schema) === serialize,
        callMember(reply, 'getSerializationFunction', schema) === serialize,
      ]
    })
    expect(result).toEqual(['{"c":"c"}', true, true])
  })

  it('serializes input by a schema, a status, or a status and a content type', async () => {
    const result = await inReply((reply) => [
      callMember(reply, 'serializeInput', VALUE, only('c')),
      callMember(reply, 'serializeInput', VALUE, 200),
      callMember(reply, 'serializeInput', VALUE, '4xx'),
      callMember(reply, 'serializeInput', VALUE, 201, 'application/vnd.v1+json'),
    ])
    expect(result).toEqual(['{"c":"c"}', '{"a":"a"}', '{"b":"b"}', '{"b":"b"}'])
  })

  it('throws when the status has no schema', async () => {
    const result = await inReply((reply) => {
      const codes: unknown[] = []
      for (const args of [[500], [201, 'text/html']]) {
        try {
          callMember(reply, 'serializeInput', VALUE, ...args)
        } catch (error) {
          codes.push(Reflect.get(Object(error), 'code'))
        }
      }
      return codes
    })
    expect(result).toEqual([code('MISSING_SERIALIZATION_FN'), code('MISSING_CONTENTTYPE_SERIALIZATION_FN')])
  })

  it('hands status and content type to a custom compiler', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.setSerializerCompiler(({ schema, method, url, httpStatus, contentType }) => {
      seen.push([schema, method, url, httpStatus, contentType])
      return () => 'custom'
    })
    const schema = only('c')
    await inReply(
      (reply) => callMember(reply, 'compileSerializationSchema', schema, '200', 'application/json'),
      app,
    )
    expect(seen).toContainEqual([schema, 'GET', '/', '200', 'application/json'])
  })

  it('resolves shared schemas', async () => {
    const app = createApp().addSchema({ $id: 'shared', ...only('c') })
    const result = await inReply(
      (reply) => callMember(reply, 'serializeInput', VALUE, { $ref: 'shared#' }),
      app,
    )
    expect(result).toBe('{"c":"c"}')
  })

  it('serializes as the reply itself would with reply.serialize', async () => {
    const result = await inReply((reply) => {
      const first = reply.serialize(VALUE)
      reply.code(404)
      const second = reply.serialize(VALUE)
      reply.code(200)
      return [first, second]
    })
    expect(result).toEqual(['{"a":"a"}', '{"b":"b"}'])
  })
})
