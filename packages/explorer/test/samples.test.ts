import { cloister } from 'cloister'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withFields } from '../page/body-text.ts'
import { explorer } from '../src/index.ts'
import type { RequestForm } from '../src/request-form.ts'

/** The form of a route whose body, and whose messages, have this schema. */
async function formsOf(schema: object, shared: readonly object[] = []) {
  const app = cloister({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  })
  for (const one of shared) app.addSchema(one)
  app.register(explorer)
  app.post('/', { schema: { body: schema } }, () => 'accepted')
  await app.ready()
  const query = new URLSearchParams({ method: 'POST', url: '/', constraints: '{}' })
  const read = await app.inject(`/_explorer/route.json?${query.toString()}`)
  const { form }: { form: RequestForm } = read.json()
  const [body] = form.bodies
  if (body === undefined) throw new Error('the form has no body')
  const { fields, value } = body
  // As the page writes it from the fields.
  const composed =
    fields.length === 0
      ? value
      : withFields(
          value,
          fields.map((field) => ({ field, text: field.value })),
        )
  const send = async (payload: string) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload })
  return { app, value, composed, send }
}

/** Schemas that some value matches, with most keywords and inside each other. */
const schemas: fc.Arbitrary<object> = fc.letrec<{ schema: object }>((tie) => {
  const inner = tie('schema')
  const name = fc.constantFrom('id', 'name', 'kind', 'tags', 'note')
  const range = (least: number, most: number) =>
    fc.tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 0, max: 6 }))
  const numbers = fc
    .tuple(
      fc.constantFrom('integer', 'number'),
      range(-50, 50),
      fc.constantFrom('closed', 'open', 'low', 'high', 'none'),
    )
    .map(([type, [low, more], limits]) => ({
      type,
      ...(limits === 'closed' ? { minimum: low, maximum: low + more } : {}),
      ...(limits === 'open' ? { exclusiveMinimum: low, exclusiveMaximum: low + more + 2 } : {}),
      ...(limits === 'low' ? { minimum: low, multipleOf: 5 } : {}),
      ...(limits === 'high' ? { maximum: low } : {}),
    }))
  const texts = fc.oneof(
    range(0, 30).map(([least, more]) => ({ type: 'string', minLength: least, maxLength: least + more })),
    fc
      .constantFrom('date-time', 'date', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'hostname', 'time')
      .map((format) => ({
        type: 'string',
        format,
      })),
    fc
      .constantFrom(
        '^[a-z]+$',
        '^[A-Z]{2}-\\d{4,6}$',
        '^(?:book|map)s?$',
        '^\\+?[0-9 ]{7,15}$',
        '^#[0-9a-f]{6}$',
        '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
        '^v\\d+\\.\\d+\\.\\d+$',
        '\\d',
      )
      .map((pattern) => ({ type: 'string', pattern })),
    fc.constant({ type: 'string', pattern: '^[a-z0-9-]*$', minLength: 12, maxLength: 20 }),
  )
  const scalars = fc.oneof(
    numbers,
    texts,
    fc.constant({ type: 'boolean' }),
    fc.constant({ type: ['integer', 'null'] }),
    fc.constantFrom({ const: '5' }, { const: 7 }, { const: null }, { const: { a: [1] } }),
    fc.constantFrom({ enum: ['1', '2'] }, { enum: [3, 'x', null] }, { enum: [''] }, { enum: [true] }),
    fc.constantFrom({}, { not: { type: 'string' } }, { type: 'string', not: { const: 'string' } }),
  )
  const lists = fc
    .tuple(inner, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 3 }))
    .map(([items, minItems, more]) => ({ type: 'array', items, minItems, maxItems: minItems + more }))
  const unique = fc
    .tuple(
      fc.constantFrom({ type: 'integer', minimum: 3 }, { type: 'string' }, { enum: ['a', 'b', 'c'] }),
      range(0, 3),
    )
    .map(([items, [minItems]]) => ({ type: 'array', items, minItems, uniqueItems: true }))
  const objects = fc
    .tuple(
      fc.dictionary(name, inner, { maxKeys: 4 }),
      fc.subarray(['id', 'name', 'kind', 'more']),
      fc.boolean(),
    )
    .map(([properties, required, closed]) => ({
      type: 'object',
      properties,
      required: closed ? required.filter((one) => one in properties) : required,
      ...(closed ? { additionalProperties: false } : { minProperties: required.length }),
    }))
  const unions = fc.tuple(fc.constantFrom('anyOf', 'oneOf'), inner, inner).map(([word, one, other]) => ({
    [word]: [
      { type: 'object', required: ['one'], properties: { one }, additionalProperties: false },
      { type: 'object', required: ['other'], properties: { other }, additionalProperties: false },
    ],
  }))
  const merged = fc.tuple(inner, inner).map(([one, other]) => ({
    allOf: [
      { type: 'object', required: ['one'], properties: { one } },
      { type: 'object', required: ['other'], properties: { other } },
    ],
  }))
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalars,
      lists,
      unique,
      objects,
      unions,
      merged,
    ),
  }
}).schema

describe('the first values of a form', () => {
  it('match their own schema, for each schema that some value matches', async () => {
    await fc.assert(
      fc.asyncProperty(schemas, async (schema) => {
        const body = { type: 'object', required: ['value'], properties: { value: schema } }
        const { app, value, composed, send } = await formsOf(body)
        for (const text of [value, composed]) {
          const response = await send(text)
          expect(response.body, `${text} for ${JSON.stringify(schema)}`).toBe('accepted')
        }
        await app.close()
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['one of its optional properties', { type: 'object', minProperties: 1, properties: { a: {}, b: {} } }],
    [
      'a branch by a condition',
      {
        type: 'object',
        required: ['kind'],
        properties: { kind: { enum: ['circle', 'square'] } },
        if: { properties: { kind: { const: 'circle' } } },
        then: { required: ['radius'] },
        else: { required: ['side'] },
      },
    ],
    [
      'names of a pattern',
      {
        type: 'object',
        minProperties: 2,
        patternProperties: { '^x-[a-z]+$': { type: 'integer', minimum: 3 } },
        additionalProperties: false,
      },
    ],
    [
      'an item that it contains',
      { type: 'array', contains: { type: 'integer', minimum: 5 }, items: { type: 'integer' } },
    ],
    [
      'what another property demands',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        required: ['a'],
        dependentRequired: { a: ['b'] },
        properties: { a: {}, b: { type: 'integer' } },
      },
    ],
    ['a tuple', { type: 'array', items: [{ type: 'string' }, { type: 'integer', minimum: 2 }], minItems: 2 }],
    [
      'itself, in a list',
      {
        type: 'object',
        required: ['children'],
        properties: { children: { type: 'array', items: { $ref: '#' } } },
      },
    ],
    ['a shared schema', { $ref: 'shared#' }],
  ])('match a schema with %s', async (_what, schema) => {
    const shared = {
      $id: 'shared',
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', format: 'uuid' } },
    }
    const { app, composed, send } = await formsOf(schema, [shared])
    expect((await send(composed)).body, composed).toBe('accepted')
    await app.close()
  })

  it('are empty where no value is found, rather than wrong', async () => {
    const { app, value } = await formsOf({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', pattern: '^(?=x)y' } },
    })
    expect(value).toBe('')
    await app.close()
  })
})
