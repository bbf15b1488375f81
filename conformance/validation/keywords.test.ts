import { describeBehind } from '../harness/transports.ts'

/** A keyword, a schema that uses it, what goes in and what the handler sees. */
interface KeywordCase {
  readonly keyword: string
  readonly schema: object
  readonly admits: readonly (readonly [sent: unknown, seen: unknown])[]
  readonly refuses: readonly unknown[]
}

const same = (...values: readonly unknown[]): (readonly [unknown, unknown])[] =>
  values.map((value) => [value, value])

const object = (v: object): object => ({ type: 'object', properties: { v } })

const CASES: readonly KeywordCase[] = [
  {
    keyword: 'type with one type',
    schema: object({ type: 'integer' }),
    admits: same({ v: 1 }),
    refuses: [{ v: 'x' }],
  },
  {
    keyword: 'type with an array of types',
    schema: object({ type: ['number', 'boolean'] }),
    admits: same({ v: 1 }, { v: true }),
    refuses: [{ v: 'word' }, { v: {} }],
  },
  {
    keyword: 'type with number and null',
    schema: object({ type: ['number', 'null'] }),
    admits: same({ v: 1.5 }, { v: null }),
    refuses: [{ v: 'word' }],
  },
  {
    keyword: 'nullable',
    schema: object({ type: 'number', nullable: true }),
    admits: same({ v: 1.5 }, { v: null }),
    refuses: [{ v: 'word' }],
  },
  {
    keyword: 'required',
    schema: { type: 'object', required: ['a', 'b'] },
    admits: same({ a: 1, b: 2 }),
    refuses: [{ a: 1 }, {}],
  },
  {
    keyword: 'properties',
    schema: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'boolean' } } },
    admits: same({ a: 1, b: true, c: 'any' }, {}),
    refuses: [{ a: 'x' }, { b: 'x' }],
  },
  {
    keyword: 'items',
    schema: { type: 'array', items: { type: 'integer' } },
    admits: [...same([1, 2], []), [['3'], [3]]],
    refuses: [['x'], [1, {}]],
  },
  { keyword: 'maxItems', schema: { type: 'array', maxItems: 2 }, admits: same([1, 2]), refuses: [[1, 2, 3]] },
  {
    keyword: 'maxLength',
    schema: object({ type: 'string', maxLength: 3 }),
    admits: same({ v: 'abc' }),
    refuses: [{ v: 'abcd' }],
  },
  {
    keyword: 'minimum',
    schema: object({ type: 'number', minimum: 10 }),
    admits: same({ v: 10 }),
    refuses: [{ v: 9 }],
  },
  {
    keyword: 'enum',
    schema: object({ type: 'string', enum: ['John', 'Foo'] }),
    admits: same({ v: 'John' }),
    refuses: [{ v: 'Jane' }],
  },
  {
    keyword: 'const',
    schema: object({ const: 'only' }),
    admits: same({ v: 'only' }),
    refuses: [{ v: 'other' }],
  },
  {
    keyword: 'oneOf',
    schema: object({
      oneOf: [
        { type: 'string', maxLength: 5 },
        { type: 'number', minimum: 10 },
      ],
    }),
    admits: same({ v: 'abc' }),
    refuses: [{ v: 'abcdef' }, { v: {} }],
  },
  {
    keyword: 'anyOf',
    schema: object({ anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 5 }] }),
    admits: same({ v: true }, { v: 5 }),
    refuses: [{ v: 4 }, { v: 'word' }],
  },
  {
    keyword: 'allOf',
    schema: {
      allOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    },
    admits: same({ a: 1, b: 2 }),
    refuses: [{ a: 1 }, { b: 1 }],
  },
  {
    keyword: 'not',
    // A scalar would be refused as well: the baseline coerces it to an array on the way.
    schema: object({ not: { type: 'array' } }),
    admits: same({ v: {} }, {}),
    refuses: [{ v: [1, 2] }],
  },
  {
    keyword: 'if, then and else',
    schema: {
      type: 'object',
      if: { properties: { kind: { const: 'a' } } },
      then: { required: ['a'] },
      else: { required: ['b'] },
      properties: { kind: { type: 'string' } },
    },
    admits: same({ kind: 'a', a: 1 }, { kind: 'x', b: 1 }),
    refuses: [{ kind: 'a' }, { kind: 'x', a: 1 }],
  },
  {
    keyword: 'default',
    schema: { type: 'object', properties: { v: { type: 'integer', default: 7 } } },
    admits: [
      [{}, { v: 7 }],
      [{ v: 1 }, { v: 1 }],
    ],
    refuses: [],
  },
  {
    keyword: 'definitions and $ref',
    schema: {
      type: 'object',
      definitions: { foo: { $id: '#address', type: 'object', properties: { city: { type: 'string' } } } },
      properties: { home: { $ref: '#address' }, work: { $ref: '#/definitions/foo' } },
    },
    admits: same({ home: { city: 'x' }, work: { city: 'y' } }),
    refuses: [{ home: 1 }, { work: 1 }],
  },
  {
    keyword: '$id',
    schema: { $id: 'mine', type: 'object', required: ['a'] },
    admits: same({ a: 1 }),
    refuses: [{}],
  },
  {
    keyword: 'description',
    schema: { description: 'what it is', ...object({ type: 'integer', description: 'a number' }) },
    admits: same({ v: 1 }),
    refuses: [{ v: 'x' }],
  },
  {
    keyword: 'pattern',
    schema: object({ type: 'string', pattern: '^a+$' }),
    admits: same({ v: 'aa' }),
    refuses: [{ v: 'b' }],
  },
  {
    keyword: 'patternProperties',
    schema: { type: 'object', patternProperties: { '^n': { type: 'integer' } } },
    admits: same({ n1: 1, other: 'x' }),
    refuses: [{ n1: 'x' }],
  },
  {
    keyword: 'propertyNames',
    schema: { type: 'object', propertyNames: { maxLength: 2 } },
    admits: same({ ab: 1 }),
    refuses: [{ abc: 1 }],
  },
  {
    keyword: 'dependencies',
    schema: { type: 'object', dependencies: { a: ['b'] } },
    admits: same({ a: 1, b: 1 }, {}),
    refuses: [{ a: 1 }],
  },
  {
    keyword: 'contains',
    schema: { type: 'array', contains: { const: 1 } },
    admits: same([0, 1]),
    refuses: [[0]],
  },
  {
    keyword: 'uniqueItems',
    schema: { type: 'array', uniqueItems: true },
    admits: same([1, 2]),
    refuses: [[1, 1]],
  },
  {
    keyword: 'multipleOf',
    schema: object({ type: 'integer', multipleOf: 3 }),
    admits: same({ v: 9 }),
    refuses: [{ v: 8 }],
  },
  {
    keyword: 'format',
    schema: object({ type: 'string', format: 'date' }),
    admits: same({ v: '2024-02-29' }),
    refuses: [{ v: '2023-02-29' }],
  },
]

describeBehind('keywords in a body', ({ createApp, send, it, expect }) => {
  for (const { keyword, schema, admits, refuses } of CASES) {
    it(`applies the keyword ${keyword}`, async () => {
      const app = createApp()
      app.post('/', { schema: { body: schema } }, (request) => ({ seen: request.body }))
      for (const [sent, seen] of admits) {
        const response = await send(app, { method: 'POST', path: '/', body: Object(sent) })
        expect(response.json()).toEqual({ seen })
      }
      for (const sent of refuses) {
        const response = await send(app, { method: 'POST', path: '/', body: Object(sent) })
        expect([sent, response.status]).toEqual([sent, 400])
      }
    })
  }
})

describeBehind('keywords at the top of a part', ({ createApp, send, it, expect }) => {
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
    it(`takes ${keyword} as the whole of a body`, async () => {
      const app = createApp()
      const body = {
        [keyword]: [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }],
      }
      app.post('/', { schema: { body } }, (request) => request.body)
      expect((await send(app, { method: 'POST', path: '/', body: { a: '1' } })).json()).toEqual({ a: 1 })
      expect((await send(app, { method: 'POST', path: '/', body: { b: 1 } })).status).toBe(400)
    })

    it(`takes ${keyword} as the whole of the query string`, async () => {
      const app = createApp()
      const querystring = {
        [keyword]: [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }],
      }
      app.get('/', { schema: { querystring } }, (request) => request.query)
      expect((await send(app, { path: '/?a=1' })).json()).toEqual({ a: 1 })
      expect((await send(app, { path: '/?b=1' })).status).toBe(400)
    })
  }

  for (const [type, good, bad] of [
    ['string', '"text"', '{}'],
    ['integer', '12', '"word"'],
    ['boolean', 'true', '{}'],
    ['null', 'null', '{}'],
    ['array', '[1]', '{}'],
  ] as const) {
    it(`takes ${type} as the type of a body`, async () => {
      const app = createApp()
      app.post('/', { schema: { body: { type } } }, (request) => ({ seen: request.body }))
      const headers = { 'content-type': 'application/json' }
      const response = await send(app, { method: 'POST', path: '/', headers, body: good })
      expect(response.json()).toEqual({ seen: JSON.parse(good) })
      expect((await send(app, { method: 'POST', path: '/', headers, body: bad })).status).toBe(400)
    })
  }
})

const SPECIAL = [
  { name: 'false', schema: false, ran: false },
  { name: 'true', schema: true, ran: true },
  { name: '{}', schema: {}, ran: true },
] as const

describeBehind('schemas that are false, true or {}', ({ createApp, send, expect, ours }) => {
  for (const { name, schema, ran } of SPECIAL) {
    for (const part of ['body', 'querystring', 'params', 'headers']) {
      ours('the peers take a falsy schema for none, and read {} as properties')(
        `applies ${name} as the schema of ${part}`,
        async () => {
          const app = createApp()
          app.post('/:id', { schema: { [part]: schema } }, () => 'ran')
          const response = await send(app, { method: 'POST', path: '/1?a=1', body: { any: ['thing'] } })
          expect(response.status).toBe(ran ? 200 : 400)
        },
      )
    }
  }

  ours('the peers take a falsy schema for none')('applies false below properties', async () => {
    const app = createApp()
    app.post(
      '/',
      { schema: { body: { type: 'object', properties: { a: false, b: true, c: {} } } } },
      () => 'ran',
    )
    expect((await send(app, { method: 'POST', path: '/', body: { b: 1, c: 2 } })).text).toBe('ran')
    expect((await send(app, { method: 'POST', path: '/', body: { a: 1 } })).status).toBe(400)
  })

  ours('the peers take a falsy schema for none')('applies false for a content type', async () => {
    const app = createApp()
    const body = { content: { 'application/json': { schema: false } } }
    app.post('/', { schema: { body } }, () => 'never')
    expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(400)
  })

  ours('the peers read {} as an object without properties')('admits any JSON value for {}', async () => {
    const app = createApp()
    app.post('/', { schema: { body: {} } }, (request) => ({ seen: request.body }))
    const headers = { 'content-type': 'application/json' }
    for (const text of ['1', '"x"', '[1]', '{"a":1}', 'true', 'null']) {
      const response = await send(app, { method: 'POST', path: '/', headers, body: text })
      expect(response.json()).toEqual({ seen: JSON.parse(text) })
    }
  })
})
