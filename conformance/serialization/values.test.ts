import type { App } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeBehind } from '../harness/transports.ts'

const PEERS = 'the serializer of the peers is silently wrong here'

function addRoute(app: App, schema: unknown, value: unknown): App {
  return app.get('/', { schema: { response: { 200: schema } } }, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(value),
  )
}

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })

describeBehind('what a response schema prints', ({ createApp, send, it, expect, ours }) => {
  const print = async (schema: unknown, value: unknown): Promise<unknown> => {
    const response = await send(addRoute(createApp(), schema, value), { path: '/' })
    return response.status === 200 ? response.json() : { status: response.status, text: response.text }
  }

  it('prints declared properties only', async () => {
    const schema = object({ id: { type: 'integer' }, deep: object({ a: { type: 'string' } }) })
    const value = { id: 1, password: 's', deep: { a: 'x', token: 's' } }
    expect(await print(schema, value)).toEqual({ id: 1, deep: { a: 'x' } })
  })

  it('prints declared properties only in the items of an array', async () => {
    const schema = { type: 'array', items: object({ id: { type: 'integer' } }) }
    expect(await print(schema, [{ id: 1, secret: 's' }, { id: 2 }])).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('prints additional properties where the schema allows them', async () => {
    const schema = object({ a: { type: 'string' } }, { additionalProperties: true })
    expect(await print(schema, { a: 'x', b: { c: [1] } })).toEqual({ a: 'x', b: { c: [1] } })
    const typed = object({ a: { type: 'string' } }, { additionalProperties: { type: 'integer' } })
    expect(await print(typed, { a: 'x', b: '5' })).toEqual({ a: 'x', b: 5 })
  })

  it('prints properties that match patternProperties', async () => {
    const schema = { type: 'object', properties: {}, patternProperties: { '^x-': { type: 'string' } } }
    expect(await print(schema, { 'x-a': 'yes', other: 'no' })).toEqual({ 'x-a': 'yes' })
  })

  it('fills a missing property with its default', async () => {
    const schema = object({ a: { type: 'string', default: 'filled' }, b: { type: 'integer', default: 0 } })
    expect(await print(schema, {})).toEqual({ a: 'filled', b: 0 })
    expect(await print(schema, { a: 'own', b: 5 })).toEqual({ a: 'own', b: 5 })
  })

  it('fills a property that is undefined with its default', async () => {
    expect(await print(object({ a: { default: true, type: 'boolean' } }), { a: undefined })).toEqual({
      a: true,
    })
  })

  it('responds with 500 when a required property is missing, and names it', async () => {
    const schema = object({ name: { type: 'string' } }, { required: ['name'] })
    const response = await send(addRoute(createApp(), schema, {}), { path: '/' })
    expect(response.status).toBe(500)
    expect(Object(response.json()).message).toContain('name')
  })

  ours('the peers have no code for it')('gives the failure a code of the catalogue', async () => {
    const schema = object({ name: { type: 'string' } }, { required: ['name'] })
    const response = await send(addRoute(createApp(), schema, {}), { path: '/' })
    expect(response.json()).toMatchObject({ statusCode: 500, code: code('FAILED_SERIALIZATION') })
  })

  it('responds with 500 when a required property that is not declared is missing', async () => {
    const response = await send(addRoute(createApp(), object({}, { required: ['ghost'] }), {}), { path: '/' })
    expect(response.status).toBe(500)
    expect(Object(response.json()).message).toContain('ghost')
  })

  it('omits an optional property that is missing', async () => {
    expect(await print(object({ a: { type: 'string' }, b: { type: 'string' } }), { b: 'x' })).toEqual({
      b: 'x',
    })
  })

  it('prints dates by type and format', async () => {
    const at = new Date('2024-02-29T12:34:56.789Z')
    const schema = object({
      text: { type: 'string' },
      stamp: { type: 'string', format: 'date-time' },
      day: { type: 'string', format: 'date' },
    })
    expect(await print(schema, { text: at, stamp: at, day: at })).toEqual({
      text: '2024-02-29T12:34:56.789Z',
      stamp: '2024-02-29T12:34:56.789Z',
      day: '2024-02-29',
    })
  })

  it('prints null where the type admits it', async () => {
    const schema = object({ a: { type: ['string', 'null'] }, b: { type: 'integer', nullable: true } })
    expect(await print(schema, { a: null, b: null })).toEqual({ a: null, b: null })
    expect(await print(schema, { a: 'x', b: 1 })).toEqual({ a: 'x', b: 1 })
  })

  it('prints what an array of types admits', async () => {
    const schema = object({ v: { type: ['integer', 'boolean', 'string', 'null'] } })
    for (const v of [1, true, 'text', null]) expect(await print(schema, { v })).toEqual({ v })
  })

  it('converts scalars to the declared type as 4.x does', async () => {
    const schema = object({
      s: { type: 'string' },
      n: { type: 'number' },
      i: { type: 'integer' },
      b: { type: 'boolean' },
    })
    expect(await print(schema, { s: 5, n: '1.5', i: '5', b: 1 })).toEqual({ s: '5', n: 1.5, i: 5, b: true })
  })

  it('prints big integers', async () => {
    const response = await send(addRoute(createApp(), object({ n: { type: 'integer' } }), { n: 2n ** 60n }), {
      path: '/',
    })
    expect(response.text).toBe('{"n":1152921504606846976}')
  })

  it('prints text that needs escapes', async () => {
    const text = 'quote " backslash \\ newline \n U+2028 \u2028 emoji \u{1F600} lone \ud800 nul \u0000'
    expect(await print(object({ text: { type: 'string' } }), { text })).toEqual({ text })
  })

  it('calls toJSON of a value', async () => {
    const schema = object({ v: object({ a: { type: 'integer' } }) })
    expect(await print(schema, { v: { toJSON: () => ({ a: 1, secret: 2 }) } })).toEqual({ v: { a: 1 } })
  })

  it('prints any value for a property without a type', async () => {
    const v = { deep: [1, 'x', null, { y: true }] }
    expect(await print(object({ v: {} }), { v })).toEqual({ v })
  })

  it('responds with 500, not invalid JSON, for a number that is not one', async () => {
    const response = await send(addRoute(createApp(), object({ n: { type: 'integer' } }), { n: 'word' }), {
      path: '/',
    })
    expect(response.status).toBe(500)
    expect(() => response.json()).not.toThrow()
  })

  it('responds with 500 to an array where the value is none', async () => {
    const response = await send(addRoute(createApp(), object({ v: { type: 'array' } }), { v: 'text' }), {
      path: '/',
    })
    expect(response.status).toBe(500)
  })

  it('merges allOf', async () => {
    const schema = { allOf: [object({ a: { type: 'string' } }), object({ b: { type: 'integer' } })] }
    expect(await print(schema, { a: 'x', b: 1, c: 2 })).toEqual({ a: 'x', b: 1 })
  })

  it('picks then or else of a conditional', async () => {
    const schema = {
      ...object({ kind: { type: 'string' } }),
      if: object({ kind: { type: 'string', enum: ['a'] } }),
      then: object({ a: { type: 'string' } }),
      else: object({ b: { type: 'string' } }),
    }
    expect(await print(schema, { kind: 'a', a: 'x', b: 'y' })).toEqual({ kind: 'a', a: 'x' })
    expect(await print(schema, { kind: 'z', a: 'x', b: 'y' })).toEqual({ kind: 'z', b: 'y' })
  })

  it('prints const and enum values', async () => {
    const schema = object({ kind: { const: 'fixed' }, level: { type: 'string', enum: ['low', 'high'] } })
    expect(await print(schema, { kind: 'fixed', level: 'low' })).toEqual({ kind: 'fixed', level: 'low' })
  })

  const A = object({ kind: { const: 'a' }, a: { type: 'string' } }, { required: ['kind', 'a'] })
  const B = object({ kind: { const: 'b' }, b: { type: 'string' } }, { required: ['kind', 'b'] })
  for (const keyword of ['anyOf', 'oneOf']) {
    it(`picks the branch of ${keyword} that the value matches, inside an object`, async () => {
      const schema = object({ v: { [keyword]: [A, B] } })
      expect(await print(schema, { v: { kind: 'b', b: 'x', secret: 's' } })).toEqual({
        v: { kind: 'b', b: 'x' },
      })
      expect(await print(schema, { v: { kind: 'a', a: 'x', secret: 's' } })).toEqual({
        v: { kind: 'a', a: 'x' },
      })
    })

    it(`picks the branch of ${keyword} for each item of an array`, async () => {
      const schema = { type: 'array', items: { [keyword]: [A, B] } }
      const value = [
        { kind: 'b', b: '1' },
        { kind: 'a', a: '2' },
      ]
      expect(await print(schema, value)).toEqual(value)
    })

    it(`picks the branch of a ${keyword} nested in another`, async () => {
      const schema = object({ v: { [keyword]: [{ type: 'null' }, { [keyword]: [A, B] }] } })
      expect(await print(schema, { v: { kind: 'b', b: 'x' } })).toEqual({ v: { kind: 'b', b: 'x' } })
      expect(await print(schema, { v: null })).toEqual({ v: null })
    })

    it(`distinguishes scalars of ${keyword}`, async () => {
      const schema = object({ v: { [keyword]: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] } })
      for (const v of [5, '5', null]) expect(await print(schema, { v })).toEqual({ v })
    })
  }

  it('responds with 500 to a value that no branch accepts', async () => {
    const schema = object({ v: { anyOf: [A, B] } })
    const response = await send(addRoute(createApp(), schema, { v: { kind: 'c' } }), { path: '/' })
    expect(response.status).toBe(500)
  })

  ours(PEERS)('names the place where no branch accepts the value', async () => {
    const schema = object({ list: { type: 'array', items: { anyOf: [A, B] } } })
    const response = await send(
      addRoute(createApp(), schema, { list: [{ kind: 'a', a: 'x' }, { kind: 'c' }] }),
      {
        path: '/',
      },
    )
    expect(response.status).toBe(500)
    expect(Object(response.json()).message).toContain('list')
  })

  it('picks the branch of a union at the top', async () => {
    expect(await print({ anyOf: [A, B] }, { kind: 'b', b: 'x', secret: 's' })).toEqual({ kind: 'b', b: 'x' })
  })

  ours(PEERS)('picks the branch that fits when the shapes share no discriminator', async () => {
    const schema = { anyOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] }
    expect(await print(schema, { b: 'kept' })).toEqual({ b: 'kept' })
  })

  for (const [name, value] of [
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ] as const) {
    ours(PEERS)(`prints valid JSON for an untyped item that is ${name}`, async () => {
      expect(await print({ type: 'array' }, [1, value, 2])).toEqual([1, null, 2])
    })

    ours(PEERS)(`omits an untyped property that is ${name}`, async () => {
      expect(await print(object({ a: {}, b: { type: 'integer' } }), { a: value, b: 1 })).toEqual({ b: 1 })
    })
  }

  for (const name of ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty']) {
    ours(PEERS)(`never prints the inherited ${name}`, async () => {
      const schema = JSON.parse(`{"type":"object","properties":{"${name}":{},"a":{"type":"integer"}}}`)
      expect(await print(schema, { a: 1 })).toEqual({ a: 1 })
    })
  }

  ours(PEERS)('never prints a property whose schema is false', async () => {
    expect(await print(object({ a: false, b: { type: 'integer' } }), { a: 'secret', b: 1 })).toEqual({ b: 1 })
  })

  it('prints nothing of an object whose schema declares nothing', async () => {
    expect(await print(object({ meta: { type: 'object' } }), { meta: { a: 1 } })).toEqual({ meta: {} })
  })

  it('never mixes two values that are serialized inside one another', async () => {
    const app = createApp()
    app.get(
      '/',
      { schema: { response: { 200: object({ a: { type: 'string' }, b: { type: 'string' } }) } } },
      (_request, reply) => ({
        a: 'outer',
        get b() {
          return String(reply.serialize({ a: 'inner', b: 'inner' }))
        },
      }),
    )
    const response = await send(app, { path: '/' })
    expect(response.json()).toEqual({ a: 'outer', b: '{"a":"inner","b":"inner"}' })
  })
})
