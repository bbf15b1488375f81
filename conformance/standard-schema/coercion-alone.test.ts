// The JSON Schema of a library is for the types of text alone: what is missing, undeclared, or in JSON stays as it came.
import * as v from 'valibot'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { z } from 'zod'
import { describeTransports } from '../harness/transports.ts'

describeTransports('standard schema: coercion alone', ({ createApp, send, ours, expect }) => {
  const ask = async (
    schema: object,
    query: string,
    options: Record<string, unknown> = {},
  ): Promise<unknown> => {
    const app = createApp(options)
    app.get('/', { schema: { querystring: schema } }, (request) => ({ got: request.query }))
    const { status, text } = await send(app, { path: `/?${query}` })
    return status === 200 ? JSON.parse(text).got : status
  }
  const ourOwn = ours('they take no schema of a library')

  ourOwn('gives the library no default, which it makes itself', async () => {
    const length = z.string().transform((text) => text.length)
    const schema = z.object({ n: z.number(), size: length.default(7) })
    expect(await ask(schema, 'n=1')).toEqual({ n: 1, size: 7 })
    expect(await ask(schema, 'n=1&size=abc')).toEqual({ n: 1, size: 3 })
  })

  ourOwn('hides no undeclared name from the library', async () => {
    const schema = z.strictObject({ n: z.number() })
    expect([await ask(schema, 'n=1'), await ask(schema, 'n=1&more=2')]).toEqual([{ n: 1 }, 400])
  })

  ourOwn('changes no text where the app coerces nothing', async () => {
    const options = { ajv: { customOptions: { coerceTypes: false } } }
    expect([await ask(z.object({ n: z.number() }), 'n=1', options)]).toEqual([400])
    expect(await ask(z.object({ n: z.string() }), 'n=1', options)).toEqual({ n: '1' })
  })

  ourOwn('rounds an integer as JavaScript does, unless the app wants exact ones', async () => {
    const schema = toStandardJsonSchema(v.object({ n: v.pipe(v.number(), v.integer()) }))
    expect(await ask(schema, 'n=9007199254740993')).toEqual({ n: 9007199254740992 })
    expect(await ask(schema, 'n=9007199254740993', { integers: 'exact' })).toBe(400)
  })

  ourOwn('is none for JSON, also where the app wants exact integers', async () => {
    for (const integers of ['number', 'exact', 'bigint']) {
      const app = createApp({ integers })
      app.post('/', { schema: { body: z.object({ n: z.int(), big: z.number() }) } }, (request) => ({
        got: request.body,
      }))
      const statusOf = async (n: unknown): Promise<number> =>
        (await send(app, { method: 'POST', path: '/', body: { n, big: 1e300 } })).status
      expect([integers, await statusOf(1), await statusOf('1')]).toEqual([integers, 200, 400])
    }
  })
})
