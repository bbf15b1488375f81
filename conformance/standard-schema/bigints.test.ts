// Bigints in schemas of other libraries: sent exactly, documented as integers, and never made of a number in JSON that
// was rounded.
import { openApiDocument } from '@cloister/openapi'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { describeTransports } from '../harness/transports.ts'

const BIG = 9007199254740993n
const INT64 = { type: 'integer', format: 'int64' } as const
const object = (id: object): object => ({ type: 'object', properties: { id }, required: ['id'] })

/** The schema of a response, its payload, the text that is sent, and what documents say. */
const RESPONSES: readonly (readonly [
  what: string,
  schema: unknown,
  payload: unknown,
  sent: string,
  document: object,
])[] = [
  ['z.bigint', z.object({ id: z.bigint() }), { id: BIG }, `{"id":${BIG}}`, object(INT64)],
  ['z.int64', z.object({ id: z.int64() }), { id: BIG }, `{"id":${BIG}}`, object(INT64)],
  [
    'z.uint64',
    z.object({ id: z.uint64() }),
    { id: 2n ** 64n - 1n },
    '{"id":18446744073709551615}',
    object({ type: 'integer', format: 'uint64' }),
  ],
  ['a list', z.array(z.bigint().min(1n)), [BIG], `[${BIG}]`, { type: 'array', items: INT64 }],
  [
    'a literal that a number represents',
    z.object({ id: z.literal(5n) }),
    { id: 5n },
    '{"id":5}',
    object({ ...INT64, const: 5 }),
  ],
  ['another literal', z.object({ id: z.literal([BIG, 1n]) }), { id: BIG }, `{"id":${BIG}}`, object(INT64)],
  ['ArkType', type({ id: 'bigint' }), { id: BIG }, `{"id":${BIG}}`, object(INT64)],
  ['a literal of ArkType', type({ id: '9007199254740993n' }), { id: BIG }, `{"id":${BIG}}`, object(INT64)],
  [
    'Valibot',
    toStandardJsonSchema(v.object({ id: v.bigint() })),
    { id: BIG },
    `{"id":${BIG}}`,
    object(INT64),
  ],
  [
    'a change of Valibot',
    toStandardJsonSchema(v.object({ id: v.pipe(v.string(), v.toBigint()) })),
    { id: String(BIG) },
    `{"id":${BIG}}`,
    object(INT64),
  ],
]

/** Schemas of responses that can't write a bigint, or whose library refuses this one. */
const REFUSED: readonly (readonly [what: string, schema: unknown, payload: unknown])[] = [
  ['a value of any type', z.object({ id: z.any() }), { id: BIG }],
  ['a value without JSON Schema', v.object({ id: v.bigint() }), { id: BIG }],
  ['a transform', z.object({ id: z.string().transform(BigInt) }), { id: String(BIG) }],
  ['more than 64 bits', z.object({ id: z.int64() }), { id: 2n ** 63n }],
  ['an integer of Zod', z.object({ id: z.int() }), { id: BIG }],
]

/** Schemas that make bigints in requests, with the JSON and whether it has its integers as texts. */
const REQUESTS: readonly (readonly [what: string, schema: unknown, isText: boolean])[] = [
  ['z.coerce.bigint', z.object({ id: z.coerce.bigint() }), false],
  ['a union', z.object({ id: z.union([z.coerce.bigint(), z.boolean()]) }), false],
  ['z.preprocess', z.object({ id: z.preprocess((id) => BigInt(String(id)), z.bigint()) }), false],
  ['a text of Zod', z.object({ id: z.string().transform(BigInt) }), true],
  ['a text of ArkType', type({ id: type('string').pipe((id) => BigInt(id)) }), true],
  ['a text of Valibot', toStandardJsonSchema(v.object({ id: v.pipe(v.string(), v.toBigint()) })), true],
]

describeTransports(
  'bigints of other libraries',
  ({ createApp, send, expect, ours }) => {
    const it = ours('the peers need a compiler for other libraries')

    for (const [what, schema, payload, sent, document] of RESPONSES) {
      it(`are sent exactly and documented: ${what}`, async () => {
        const app = createApp({ integers: 'bigint' })
        app.get('/', { schema: { response: { 200: schema } } }, () => payload)
        const response = await send(app, { path: '/' })
        expect([response.status, response.text]).toEqual([200, sent])
        for (const version of ['3.1', '3.0'] as const) {
          const { paths } = openApiDocument(app as never, { info: { title: 'x', version: '1' }, version })
          const text = JSON.stringify(document)
          // OpenAPI 3.0 has no const.
          const shown: unknown = JSON.parse(
            version === '3.0' ? text.replace('"const":5', '"enum":[5]') : text,
          )
          expect(paths).toMatchObject({
            '/': { get: { responses: { 200: { content: { 'application/json': { schema: shown } } } } } },
          })
          // No limit or constant is rounded.
          expect(JSON.stringify(paths)).not.toMatch(/\d{16}/)
        }
      })
    }

    for (const [what, schema, payload] of REFUSED) {
      it(`are an error with a code where they can't be sent: ${what}`, async () => {
        const app = createApp()
        app.get('/', { schema: { response: { 200: schema } } }, () => payload)
        expect((await send(app, { path: '/' })).json()).toMatchObject({
          statusCode: 500,
          code: 'CLO_ERR_RESPONSE_INVALID',
        })
      })
    }

    for (const [what, schema, isText] of REQUESTS) {
      it(`are what was sent, or the request is refused: ${what}`, async () => {
        const app = createApp({ integers: 'exact' })
        const seen: unknown[] = []
        app.post('/', { schema: { body: schema } }, ({ body }) => ({ n: seen.push({ ...Object(body) }) }))
        app.get('/', { schema: { querystring: schema } }, ({ query }) => ({
          n: seen.push({ ...Object(query) }),
        }))
        const post = async (id: string): Promise<number> => {
          const headers = { 'content-type': 'application/json' }
          const body = Buffer.from(`{"id":${isText ? `"${id}"` : id}}`)
          return (await send(app, { method: 'POST', path: '/', headers, body })).status
        }
        expect([await post('5'), await post(String(BIG)), await post(String(-BIG))]).toEqual(
          isText ? [200, 200, 200] : [200, 400, 400],
        )
        expect((await send(app, { path: `/?id=${BIG}` })).status).toBe(200)
        const ofText = isText ? [{ id: BIG }, { id: -BIG }] : []
        expect(seen).toEqual([{ id: 5n }, ...ofText, { id: BIG }])
      })
    }

    it('of TypeBox are refused at the start', async () => {
      const app = createApp()
      // As `Type.BigInt()` writes it.
      const schema = object({ type: 'bigint' })
      app.get('/', { schema: { response: { 200: schema } } }, () => ({ id: BIG }))
      await expect(app.ready()).rejects.toThrow(/\/properties\/id\/type: "type" must be one of .*integer/)
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
