// What a library checks and changes in a response, and what the client gets to see of it.
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

import { describeBehind } from '../harness/transports.ts'

const REFUSED = { statusCode: 500, code: 'CLO_ERR_RESPONSE_INVALID', error: 'Internal Server Error' }

/** A schema whose author has written its JSON Schema, which the library then takes without a look. */
function describedByHand(): z.ZodType {
  const schema = z.object({ a: z.email() })
  schema._zod.toJSONSchema = () => ({ type: 'object', properties: { a: { type: 'string' } } })
  return schema
}

/** Checks that no serializer makes, with a payload that each refuses. */
const CHECKS: readonly (readonly [check: string, schema: unknown, payload: object])[] = [
  ['a format', z.object({ a: z.email() }), { a: 'no' }],
  ['a limit', z.object({ a: z.string().min(1) }), { a: '' }],
  ['an enum', z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }],
  ['a constant', z.object({ a: z.literal(1) }), { a: 2 }],
  ['a safe integer', z.object({ a: z.int() }), { a: 2 ** 60 }],
  ['an expression', z.object({ a: z.string().regex(/^a$/) }), { a: 'b' }],
  ['a template', z.object({ a: z.templateLiteral(['v', z.number()]) }), { a: 'w1' }],
  ['a refinement', z.object({ a: z.string().refine((a) => a !== 'x') }), { a: 'x' }],
  ['a refinement of the whole', z.object({ a: z.string() }).refine(({ a }) => a !== 'x'), { a: 'x' }],
  ['a check deep down', z.object({ a: z.array(z.object({ b: z.url() })) }), { a: [{ b: 'no' }] }],
  ['a check of a key', z.record(z.string().max(1), z.number()), { long: 1 }],
  ['a strict object', z.strictObject({ a: z.string() }), { a: 'x', b: 'y' }],
  ['a date', z.object({ a: z.date() }), { a: new Date(Number.NaN) }],
  ['a check below JSON Schema of the author', describedByHand(), { a: 'no' }],
  ['a narrowed type of ArkType', type({ a: type('string').narrow((a) => a !== 'x') }), { a: 'x' }],
  ['a schema without JSON Schema', v.object({ a: v.number() }), { a: 'x' }],
]

/** Changes that a library makes, with what is sent of a payload. */
const CHANGES: readonly (readonly [change: string, schema: unknown, payload: unknown, sent: unknown])[] = [
  ['a transform', z.object({ a: z.string().transform((a) => a.length) }), { a: 'abc' }, { a: 3 }],
  [
    'a transform into a pipe',
    z.object({ a: z.string().transform(Number).pipe(z.number()) }),
    { a: '3' },
    { a: 3 },
  ],
  ['a trimmed text', z.object({ a: z.string().trim() }), { a: ' x ' }, { a: 'x' }],
  ['a coerced number', z.object({ a: z.coerce.number() }), { a: true }, { a: 1 }],
  ['a value for what does not fit', z.object({ a: z.number().catch(0) }), { a: 'x' }, { a: 0 }],
  ['a default that is computed', z.object({ a: z.string().default(() => 'x') }), {}, { a: 'x' }],
  ['a date', z.object({ a: z.date() }), { a: new Date(0) }, { a: '1970-01-01T00:00:00.000Z' }],
  ['a date or null', z.object({ a: z.date().nullable() }), { a: null }, { a: null }],
  ['a list of dates', z.array(z.date()), [new Date(0)], ['1970-01-01T00:00:00.000Z']],
  ['a bigint', z.object({ a: z.bigint() }), { a: 5n }, { a: 5 }],
  [
    'a codec',
    z.object({
      a: z.codec(z.string(), z.date(), { decode: (a) => new Date(a), encode: (a) => a.toISOString() }),
    }),
    { a: '1970-01-01' },
    { a: '1970-01-01T00:00:00.000Z' },
  ],
  ['undeclared properties', z.object({ a: z.string() }), { a: 'x', b: 'y' }, { a: 'x' }],
  ['a loose object', z.looseObject({ a: z.email() }), { a: 'a@b.co', b: 1 }, { a: 'a@b.co', b: 1 }],
  [
    'an object of any kind',
    z.object({ a: z.record(z.string(), z.unknown()) }),
    { a: { b: [1] } },
    { a: { b: [1] } },
  ],
  ['any object of ArkType', type({ a: 'object' }), { a: { b: 1 } }, { a: { b: 1 } }],
  [
    'a union',
    z.union([z.object({ a: z.string() }), z.object({ b: z.date() })]),
    { b: new Date(0) },
    { b: '1970-01-01T00:00:00.000Z' },
  ],
  ['a morph of ArkType', type({ a: ['string', '=>', (a: string) => a.length] }), { a: 'abc' }, { a: 3 }],
  [
    'a transform without JSON Schema',
    v.object({ a: v.pipe(v.string(), v.transform(Number)) }),
    { a: '3' },
    { a: 3 },
  ],
]

describeBehind('a response schema of another library', ({ createApp, send, expect, ours }) => {
  const it = ours('the peers need a compiler for other libraries')

  for (const [check, schema, payload] of CHECKS) {
    for (const options of [{}, { strict: true, problemDetails: false }]) {
      it(`refuses what ${check} does not admit${'strict' in options ? ' under strict' : ''}`, async () => {
        const app = createApp(options)
        app.get('/', { schema: { response: { 200: schema } } }, () => payload)
        const response = await send(app, { path: '/' })
        expect(response.json()).toEqual({
          ...REFUSED,
          message:
            'strict' in options
              ? 'Internal Server Error'
              : 'The payload of GET / does not match the schema of its status 200; the log has the reason',
        })
      })
    }
  }

  for (const [change, schema, payload, sent] of CHANGES) {
    it(`sends what it makes of ${change}`, async () => {
      const app = createApp()
      app.get('/', { schema: { response: { 200: schema } } }, () => payload)
      const response = await send(app, { path: '/' })
      expect(response.json()).toEqual(sent)
      expect(response.status).toBe(200)
    })
  }

  it('may have formats and metadata of its library, under strict', async () => {
    const app = createApp({ strict: true })
    const schema = z.object({ a: z.cuid2().meta({ id: 'Id', owner: 'us' }), b: z.nanoid().optional() })
    const querystring = z.object({ a: z.cuid2().meta({ owner: 'us' }), n: z.union([z.cuid2(), z.number()]) })
    app.get('/', { schema: { querystring, response: { 200: schema } } }, (request) => request.query)
    const id = 'tz4a98xxat96iws9zmbrgj3a'
    expect((await send(app, { path: `/?a=${id}&n=5` })).json()).toEqual({ a: id })
  })

  it('is used where a handler serializes by itself', async () => {
    const app = createApp()
    app.get('/', { schema: { response: { 200: z.object({ a: z.date() }) } } }, (_request, reply) => {
      const own = z.object({ a: z.string().transform((a) => a.length) })
      return [
        Object(reply).getSerializationFunction('200')({ a: new Date(0) }),
        Object(reply).serializeInput({ a: 'abc' }, own),
        Object(reply).serializeInput({ a: 1, b: 2 }, type({ a: 'number' })),
      ].join()
    })
    expect((await send(app, { path: '/' })).text).toBe('{"a":"1970-01-01T00:00:00.000Z"},{"a":3},{"a":1}')
  })

  it('has the reason of a refusal in the log alone', async () => {
    const lines: string[] = []
    const app = createApp({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    app.get('/', { schema: { response: { 200: z.object({ mail: z.email() }) } } }, () => ({ mail: 'no' }))
    const response = await send(app, { path: '/' })
    expect(response.text).not.toContain('mail')
    expect(lines.join('')).toContain('/mail Invalid email address')
  })

  it('has the reason in the log where an error does not fit the schema of its status', async () => {
    const lines: string[] = []
    const app = createApp({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    const schema = { response: { 418: z.object({ message: z.string().max(3) }) } }
    app.get('/', { schema }, () => {
      throw Object.assign(new Error('too long'), { statusCode: 418 })
    })
    const response = await send(app, { path: '/' })
    expect(response.status).toBe(500)
    expect(response.json()).toMatchObject({ code: 'CLO_ERR_FAILED_ERROR_SERIALIZATION' })
    expect(lines.join('')).toContain('/message Too big')
  })

  it('writes errors by the schema of their status', async () => {
    const app = createApp()
    const schema = {
      params: z.object({ id: z.number() }),
      response: { '4xx': z.object({ message: z.string() }) },
    }
    app.get('/:id', { schema }, () => 'ran')
    const response = await send(app, { path: '/x' })
    expect(response.json()).toEqual({ message: expect.stringContaining('params/id') })
  })

  it('must validate at once', async () => {
    const app = createApp()
    const schema = z.object({ a: z.string().refine(async () => false) })
    app.get('/', { schema: { response: { 200: schema } } }, () => ({ a: 'x' }))
    expect((await send(app, { path: '/' })).json()).toMatchObject(REFUSED)
  })

  it('has a schema for each media type', async () => {
    const app = createApp()
    const content = { 'application/json': { schema: z.object({ a: z.email() }) } }
    app.get('/', { schema: { response: { 200: { content } } } }, (_request, reply) =>
      reply.type('application/json').send({ a: 'no' }),
    )
    expect((await send(app, { path: '/' })).json()).toMatchObject(REFUSED)
  })
})

describeBehind('validateResponses', ({ createApp, send, expect, ours }) => {
  const it = ours('the peers do not have the option')

  /** Counts how often a library validates. */
  function counted(schema: z.ZodType): { readonly schema: object; readonly calls: () => number } {
    let calls = 0
    const { validate, ...rest } = schema['~standard']
    const counting = (value: unknown): unknown => {
      calls += 1
      return validate(value)
    }
    return { schema: { '~standard': { ...rest, validate: counting } }, calls: () => calls }
  }
  const plain = (): z.ZodType =>
    z.object({
      a: z.number(),
      b: z.array(z.string().optional()).nullable(),
      c: z.union([z.string(), z.null()]),
    })
  const payload = { a: 1, b: ['x'], c: null }

  for (const [options, routeOptions, calls] of [
    [{}, {}, 0],
    [{ strict: true }, {}, 1],
    [{ validateResponses: 'always' }, {}, 1],
    [{ validateResponses: 'always' }, { validateResponses: 'needed' }, 0],
    [{ strict: true, validateResponses: 'needed' }, {}, 0],
    [{}, { validateResponses: 'always' }, 1],
  ] as const) {
    const where = `${JSON.stringify(options)} and ${JSON.stringify(routeOptions)} of the route`
    it(`has a schema of types alone validated ${calls} times, with ${where}`, async () => {
      const app = createApp(options)
      const library = counted(plain())
      app.get('/', { ...routeOptions, schema: { response: { 200: library.schema } } }, () => payload)
      expect((await send(app, { path: '/' })).json()).toEqual(payload)
      expect(library.calls()).toBe(calls)
    })
  }

  it("writes payloads by the library's JSON Schema alone with 'never'", async () => {
    const app = createApp({ validateResponses: 'never' })
    const library = counted(z.object({ a: z.email() }))
    app.get('/', { schema: { response: { 200: library.schema } } }, () => ({ a: 'no', b: 1 }))
    expect((await send(app, { path: '/' })).json()).toEqual({ a: 'no' })
    expect(library.calls()).toBe(0)
  })

  it("validates by a library without JSON Schema even with 'never': nothing else filters", async () => {
    const app = createApp({ validateResponses: 'never' })
    app.get('/', { schema: { response: { 200: v.object({ a: v.number() }) } } }, () => ({ a: 1, b: 2 }))
    expect((await send(app, { path: '/' })).json()).toEqual({ a: 1 })
  })

  it('is checked', () => {
    const app = createApp()
    expect(() => app.get('/', { validateResponses: 'sometimes' }, () => 'x')).toThrow(
      expect.objectContaining({
        code: 'CLO_ERR_ROUTE_OPTION_INVALID',
        message: expect.stringContaining(
          `'validateResponses' must be one of "needed", "always", "never", got "sometimes"`,
        ),
      }),
    )
  })
})
