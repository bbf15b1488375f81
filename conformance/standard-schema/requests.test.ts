// Text parts are coerced by the JSON Schema of a library, as they are for JSON Schema; names of headers have no case.
import { createSchemaEngine } from '@cloister/schema'
import { type } from 'arktype'
import { cloister } from 'cloister'
import * as Schema from 'effect/Schema'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { z } from 'zod'

import { Random } from '../../packages/schema/test/validator/random.ts'
import { describeBehind } from '../harness/transports.ts'

const FORM = 'application/x-www-form-urlencoded'

describeBehind('text for a schema of another library', ({ createApp, send, expect, ours }) => {
  const it = ours('the peers need a compiler for other libraries')

  /** Sends a query to a route, and returns what its handler sees, or the message of the refusal. */
  async function query(querystring: unknown, text: string, options = {}): Promise<unknown> {
    const app = createApp(options)
    app.get('/', { schema: { querystring } }, (request) => ({ seen: request.query }))
    const response = await send(app, { path: `/?${text}` })
    const { seen, message } = Object(response.json())
    return seen ?? message
  }

  it('chooses in a union by what the branches assert', async () => {
    const union = z.object({ a: z.union([z.uuid(), z.int(), z.literal('all')]) })
    expect(await query(union, 'a=5')).toEqual({ a: 5 })
    expect(await query(union, 'a=all')).toEqual({ a: 'all' })
    const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
    expect(await query(union, `a=${uuid}`)).toEqual({ a: uuid })
    const tagged = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('n'), value: z.number() }),
      z.object({ kind: z.literal('s'), value: z.string() }),
    ])
    expect(await query(tagged, 'kind=n&value=007')).toEqual({ kind: 'n', value: 7 })
    expect(await query(tagged, 'kind=s&value=007')).toEqual({ kind: 's', value: '007' })
  })

  it('goes on behind what it cannot coerce, so that the library reports that alone', async () => {
    const schema = z.object({ a: z.number(), b: z.number(), c: z.boolean() })
    expect(await query(schema, 'a=x&b=5&c=true')).toBe(
      'querystring/a Invalid input: expected number, received string',
    )
  })

  it('coerces where the library does not: "false" is false for z.boolean(), and a text for z.coerce', async () => {
    const schema = z.object({ on: z.boolean(), any: z.coerce.boolean(), from: z.coerce.date() })
    expect(await query(schema, 'on=false&any=false&from=2024-01-02')).toEqual({
      on: false,
      any: true,
      from: '2024-01-02T00:00:00.000Z',
    })
  })

  it('passes text to what takes text in', async () => {
    const schema = z.object({
      a: z.string(),
      b: z.string().transform(Number),
      c: z.coerce.bigint().transform(String),
    })
    expect(await query(schema, 'a=5&b=6&c=9007199254740993')).toEqual({ a: '5', b: 6, c: '9007199254740993' })
  })

  it('passes text to a function before a schema, wherever it is', async () => {
    const isTrue = z.preprocess((text) => text === 'true', z.boolean())
    const list = z.preprocess((text) => String(text).split(','), z.array(z.string()))
    const kind = z.transform((value: unknown) => String(typeof value)).pipe(z.string())
    const schema = z.object({
      on: isTrue.optional(),
      off: isTrue.nullable().default(false),
      list: list.readonly().pipe(z.array(z.string())),
      kind: z.union([z.number(), kind]),
      all: z.array(isTrue),
      page: z.number(),
    })
    expect(await query(schema, 'on=true&off=true&list=a,b&kind=5&all=true&all=x&page=2')).toEqual({
      on: true,
      off: true,
      list: ['a', 'b'],
      kind: 'string',
      all: [true, false],
      page: 2,
    })
  })

  it('passes text to a function in params, headers and forms', async () => {
    const schema = z.object({ on: z.preprocess((text) => text === 'yes', z.boolean()) })
    const app = createApp()
    app.get('/:on', { schema: { params: schema, headers: schema } }, (request) => [
      request.params,
      request.headers['on'],
    ])
    app.post('/', { schema: { body: { content: { [FORM]: { schema } } } } }, (request) => request.body)
    const response = await send(app, { path: '/yes', headers: { on: 'yes' } })
    expect(response.json()).toEqual([{ on: true }, true])
    const form = await send(app, {
      path: '/',
      method: 'POST',
      headers: { 'content-type': FORM },
      body: 'on=yes',
    })
    expect(form.json()).toEqual({ on: true })
  })

  it('passes text to the branch of a union that takes text, in each library', async () => {
    const split = (text: string): string[] => text.split(',')
    const list = ['a', 'b']
    const zod = z.object({ a: z.array(z.string()).or(z.string().transform(split)) })
    expect(await query(zod, 'a=a,b')).toEqual({ a: list })
    expect(await query(zod, 'a=a&a=b')).toEqual({ a: list })
    const valibot = v.object({
      a: v.union([v.array(v.string()), v.pipe(v.string(), v.transform(split))]),
      b: v.pipe(v.unknown(), v.transform(String), v.string()),
    })
    expect(await query(valibot, 'a=a,b&b=5')).toEqual({ a: list, b: '5' })
    expect(await query(type({ a: 'number | string', b: 'number' }), 'a=5&b=5')).toEqual({ a: '5', b: 5 })
    const effect = Schema.toStandardJSONSchemaV1(
      Schema.toStandardSchemaV1(
        Schema.Struct({ a: Schema.Union([Schema.Number, Schema.String]), b: Schema.Number }),
      ),
    )
    expect(await query(effect, 'a=5&b=5')).toEqual({ a: '5', b: 5 })
  })

  it('coerces where the branch of a union refuses the text', async () => {
    const schema = z.object({ a: z.number().or(z.enum(['all'])), b: z.boolean().or(z.string().min(9)) })
    expect(await query(schema, 'a=5&b=true')).toEqual({ a: 5, b: true })
    expect(await query(schema, 'a=all&b=true%20or%20not')).toEqual({ a: 'all', b: 'true or not' })
  })

  it('follows references, recursive ones too', async () => {
    const Page = z.object({ size: z.number() }).meta({ id: 'Page' })
    expect(await query(Page, 'size=5')).toEqual({ size: 5 })
    const schema = type({ 'next?': 'number[]', size: 'number' })
    expect(await query(schema, 'size=5&next=1&next=2')).toEqual({ size: 5, next: [1, 2] })
  })

  it('may have expressions that JSON Schema does not have, or that would stop the start', async () => {
    const schema = z.object({
      a: z.string().regex(new RegExp(String.raw`^\_$`)),
      b: z.union([z.number(), z.string().regex(new RegExp(String.raw`^\_b$`))]),
      c: z.union([z.number(), z.string().regex(/^(c+)+$/)]),
    })
    expect(await query(schema, 'a=_&b=5&c=6')).toEqual({ a: '_', b: 5, c: 6 })
    expect(await query(schema, 'a=_&b=_b&c=cc')).toEqual({ a: '_', b: '_b', c: 'cc' })
  })

  it('is not coerced where the app coerces nothing, and not into lists where it does not do that', async () => {
    const schema = z.object({ a: z.number() })
    const off = { ajv: { customOptions: { coerceTypes: false } } }
    expect(await query(schema, 'a=5', off)).toContain('querystring/a')
    const list = z.object({ a: z.array(z.number()) })
    const scalars = { ajv: { customOptions: { coerceTypes: true } } }
    expect(await query(list, 'a=5', scalars)).toContain('querystring/a')
    expect(await query(list, 'a=5&a=6', scalars)).toEqual({ a: [5, 6] })
  })

  it('needs no generated code', async () => {
    const schema = z.object({ a: z.number(), b: z.array(z.boolean()) })
    expect(await query(schema, 'a=5&b=true', { codeGeneration: 'never' })).toEqual({ a: 5, b: [true] })
  })

  it('is what the library gets where it offers no JSON Schema', async () => {
    expect(await query(v.object({ a: v.pipe(v.string(), v.transform(Number)) }), 'a=5')).toEqual({ a: 5 })
    expect(await query(v.object({ a: v.number() }), 'a=5')).toContain('querystring/a')
  })

  it('is what forms have; JSON has types', async () => {
    const app = createApp()
    app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      Object(done)(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    const body = z.object({ n: z.number() })
    app.post('/', { schema: { body } }, (request) => request.body)
    app.post(
      '/types',
      { schema: { body: { content: { [FORM]: { schema: body } } } } },
      (request) => request.body,
    )
    const form = { headers: { 'content-type': FORM }, body: 'n=5' }
    expect((await send(app, { method: 'POST', path: '/', ...form })).json()).toEqual({ n: 5 })
    expect((await send(app, { method: 'POST', path: '/types', ...form })).json()).toEqual({ n: 5 })
    expect((await send(app, { method: 'POST', path: '/', body: { n: '5' } })).status).toBe(400)
  })

  it('needs a way to validate: half of the contract stops the start, and says what is missing', async () => {
    const half = Schema.toStandardJSONSchemaV1(Schema.Struct({ a: Schema.Finite }))
    for (const schema of [{ querystring: half }, { response: { 200: half } }]) {
      const app = createApp()
      app.get('/', { schema }, () => 'ran')
      await expect(app.ready()).rejects.toThrow(
        /GET: \/.* `validate`; Effect adds it by Schema\.toStandardSchemaV1/,
      )
    }
  })

  it('is coerced where a handler validates by itself', async () => {
    const app = createApp()
    const querystring = z.object({ a: z.number() })
    app.get('/', { schema: { querystring } }, (request) => {
      const validate = Object(request).validateInput.bind(request)
      return [
        validate({ a: '5' }, 'querystring'),
        validate({ a: '6' }, z.object({ a: z.number() }), 'querystring'),
        validate({ a: '7' }, type({ a: 'number' }), 'querystring'),
      ]
    })
    expect((await send(app, { path: '/?a=1' })).json()).toEqual([5, 6, 7].map((a) => ({ value: { a } })))
  })
})

describeBehind('headers for a schema of another library', ({ createApp, send, expect, ours }) => {
  const it = ours('the peers need a compiler for other libraries')
  const libraries: readonly (readonly [library: string, schema: unknown])[] = [
    ['Zod', z.object({ 'X-Key': z.string().min(2) })],
    ['a loose object of Zod', z.looseObject({ 'X-Key': z.string().min(2) })],
    ['Valibot without JSON Schema', v.object({ 'X-Key': v.pipe(v.string(), v.minLength(2)) })],
    ['a loose object of Valibot', v.looseObject({ 'X-Key': v.pipe(v.string(), v.minLength(2)) })],
    ['ArkType', type({ 'X-Key': 'string >= 2' })],
    [
      'an asynchronous schema',
      z.object({
        'X-Key': z
          .string()
          .min(2)
          .refine(async () => true),
      }),
    ],
  ]

  for (const [library, headers] of libraries) {
    it(`are found by their name in any letter case, by ${library}`, async () => {
      const app = createApp()
      app.get('/', { schema: { headers } }, (request) => [
        request.headers['x-key'],
        'X-Key' in request.headers,
      ])
      const response = await send(app, { path: '/', headers: { 'x-key': 'abc' } })
      expect(response.json()).toEqual(['abc', false])
    })

    it(`are refused under their name in lower case, by ${library}`, async () => {
      const app = createApp()
      app.get('/', { schema: { headers } }, () => 'ran')
      for (const given of [{}, { 'x-key': 'a' }]) {
        const response = await send(app, { path: '/', headers: given })
        expect(response.json()).toMatchObject({
          statusCode: 400,
          message: expect.stringMatching(/^headers\/x-key /),
        })
      }
    })
  }

  it('keep what the schema does not declare', async () => {
    const app = createApp()
    const headers = z.object({ 'X-Key': z.string().transform((key) => key.length) })
    app.get('/', { schema: { headers } }, (request) => [request.headers['x-key'], request.headers['x-other']])
    const response = await send(app, { path: '/', headers: { 'x-key': 'abc', 'x-other': 'o' } })
    expect(response.json()).toEqual([3, 'o'])
  })
})

/** Values that a library may make of a part: each takes the place of what came. */
const OUTPUTS: readonly unknown[] = [undefined, null, false, 0, '', 'text', [], {}, { made: true }]

describeBehind('the output of another library', ({ createApp, send, expect, ours }) => {
  const it = ours('the peers need a compiler for other libraries')

  const making = (output: unknown, isLate: boolean): object => {
    const validate = (): unknown => (isLate ? Promise.resolve({ value: output }) : { value: output })
    return { '~standard': { version: 1, vendor: 'own', validate } }
  }
  const cases = OUTPUTS.flatMap((output) => [false, true].map((isLate) => ({ output, isLate })))

  it.each(cases)('is what a handler sees, and never what came: $output (late: $isLate)', async (given) => {
    const app = createApp()
    const schema = making(given.output, given.isLate)
    const seen: unknown[] = []
    const note = (value: unknown): string => {
      seen.push(value)
      return 'noted'
    }
    app.post('/body', { schema: { body: schema } }, (request) => note(request.body))
    const form = { content: { [FORM]: { schema }, 'application/json': { schema } } }
    app.post('/form', { schema: { body: form } }, (request) => note(request.body))
    app.get('/query', { schema: { querystring: schema } }, (request) => note(request.query))
    app.get('/params/:id', { schema: { params: schema } }, (request) => note(request.params))
    const lines = { content: { 'application/x-ndjson': { schema } } }
    app.post('/lines', { schema: { body: lines } }, async (request) => {
      for await (const item of request.body as AsyncIterable<unknown>) note(item)
      return 'read'
    })
    const raw = { evil: 'raw' }
    await send(app, { method: 'POST', path: '/body', body: raw })
    await send(app, { method: 'POST', path: '/form', headers: { 'content-type': FORM }, body: 'evil=raw' })
    await send(app, { path: '/query?evil=raw' })
    await send(app, { path: '/params/raw' })
    const type = { 'content-type': 'application/x-ndjson' }
    await send(app, { method: 'POST', path: '/lines', headers: type, body: '{"evil":"raw"}\n' })
    expect(seen).toEqual(Array(5).fill(given.output))
  })

  it('may be replaced by a hook, also if it is undefined', async () => {
    const app = createApp()
    const preHandler = async (request: { query: unknown }): Promise<void> => {
      expect(request.query).toBeUndefined()
      request.query = { by: 'hook' }
    }
    const schema = { querystring: making(undefined, false) }
    app.get('/', { schema, preHandler }, (request) => request.query)
    expect((await send(app, { path: '/?by=client' })).json()).toEqual({ by: 'hook' })
  })

  it('is an object for headers: another one is the fault of the app', async () => {
    for (const output of OUTPUTS) {
      const app = createApp()
      app.get('/', { schema: { headers: making(output, false) } }, (request) => request.headers)
      const { status } = await send(app, { path: '/', headers: { 'x-evil': 'raw' } })
      const isObject = typeof output === 'object' && output !== null && !Array.isArray(output)
      expect([output, status]).toEqual([output, isObject ? 200 : 500])
    }
  })

  it('is undefined where a fallback says so, for Zod and Valibot', async () => {
    for (const schema of [
      z.object({ a: z.number() }).optional().catch(undefined),
      v.fallback(v.optional(v.object({ a: v.number() })), undefined),
    ]) {
      const app = createApp()
      app.post('/', { schema: { body: schema } }, (request) => ({ got: request.body ?? 'nothing' }))
      const response = await send(app, { method: 'POST', path: '/', body: { a: 'evil', admin: true } })
      expect(response.json()).toEqual({ got: 'nothing' })
    }
  })

  it('has the place of an issue about the value as a whole, in ArkType too', async () => {
    const app = createApp()
    app.post('/', { schema: { body: type({ a: 'number' }).narrow(() => false) } }, () => 'never')
    const { message } = Object((await send(app, { method: 'POST', path: '/', body: { a: 1 } })).json())
    expect(message).toMatch(/^body must /)
  })
})

/** A schema of a value in a query. */
function randomSchema(random: Random): object {
  const scalar = (): object =>
    random.pick([
      { type: 'string' },
      { type: 'number' },
      { type: 'integer' },
      { type: 'boolean' },
      { type: ['number', 'null'] },
      { type: 'string', enum: ['a', '5'] },
      { type: 'integer', minimum: 4 },
      { type: 'string', minLength: 2 },
      { const: 5, type: 'number' },
    ])
  return random.pick([
    scalar,
    scalar,
    () => ({ type: 'array', items: scalar() }),
    () => ({ anyOf: [scalar(), scalar()] }),
    () => ({ anyOf: [scalar(), { type: 'array', items: scalar() }] }),
  ])()
}

/** The same schema with the branches of a union that take text first, as a library's own code gets text. */
function textFirst(schema: object): object {
  const { anyOf } = Object(schema)
  const takesText = (branch: object): number => Number(Reflect.get(branch, 'type') === 'string')
  return Array.isArray(anyOf) ? { anyOf: anyOf.toSorted((a, b) => takesText(b) - takesText(a)) } : schema
}

it('has the same values and refusals as JSON Schema, for random schemas and queries', async () => {
  const random = new Random(Number(process.env['CLOISTER_SEED'] ?? 1))
  const strict = createSchemaEngine({
    ajv: { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } },
  })
  /** A library whose JSON Schema says all that it checks, and that converts nothing. */
  const libraryOf = (schema: object): object => {
    const isValid = strict.compileValidator({ schema, httpPart: 'querystring', store: strict.createStore() })
    const validate = (value: unknown): object =>
      isValid(value) === true ? { value } : { issues: [{ message: 'no' }] }
    return { '~standard': { version: 1, vendor: 'own', validate, jsonSchema: { input: () => schema } } }
  }
  let accepted = 0
  let refused = 0
  for (let round = 0; round < 40; round++) {
    const properties = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, randomSchema(random)]))
    const schema = { type: 'object', properties }
    const ordered = Object.entries(properties).map(([name, one]) => [name, textFirst(one)])
    const querystring: object = { type: 'object', properties: Object.fromEntries(ordered) }
    const app = cloister()
    app.get('/json', { schema: { querystring } }, (request) => ({ seen: request.query }))
    app.get('/library', { schema: { querystring: libraryOf(schema) } }, (request) => ({
      seen: request.query,
    }))
    for (let count = 0; count < 25; count++) {
      const words = new URLSearchParams()
      for (const name of ['a', 'b', 'c', 'a'].slice(random.below(4))) {
        words.append(name, random.pick(['', 'a', '5', '4.5', 'true', 'null', '1e3', 'aa']))
      }
      const text = words.toString()
      const byJson = await app.inject(`/json?${text}`)
      const byLibrary = await app.inject(`/library?${text}`)
      const what = `${JSON.stringify(schema)} ?${text}`
      expect([what, byLibrary.statusCode]).toEqual([what, byJson.statusCode])
      if (byJson.statusCode === 200) {
        accepted += 1
        expect([what, byLibrary.json()]).toEqual([what, byJson.json()])
      } else refused += 1
    }
    await app.close()
  }
  expect(accepted).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(100)
})
