// Documents admit exactly the null that an app sends, in every version.
import { cloister } from 'cloister'
import fc from 'fast-check'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/index.ts'
import { inNewerDialect } from '../src/implement/newer-dialect.ts'
import { errorsOf } from './validators.ts'

const USER = { $id: 'User', type: 'object', properties: { id: { type: 'integer' } } }
const user = { $ref: 'User#' }

/** Forms of a schema, to each of which `nullable` can be added. */
const FORMS: Readonly<Record<string, object>> = {
  $ref: user,
  allOf: { allOf: [user] },
  'allOf beside type': { type: 'object', allOf: [user] },
  anyOf: { anyOf: [user, { type: 'integer' }] },
  oneOf: { oneOf: [user] },
  enum: { enum: ['a', 'b'] },
  'enum beside type': { type: 'string', enum: ['a', 'b'] },
  const: { const: 'a' },
  'const beside type': { type: 'string', const: 'a' },
  if: { type: ['string', 'integer'], if: { type: 'string' }, then: { minLength: 2 } },
  type: { type: 'object', properties: { id: { type: 'integer' } } },
  types: { type: ['string', 'integer'] },
}

const VERSIONS = ['3.0', '3.1'] as const

/** The schema of the response, as a validator for 2020-12 reads it. */
function judge(document: object, version: (typeof VERSIONS)[number]): (value: unknown) => boolean {
  const read: unknown = version === '3.0' ? inNewerDialect(document) : document
  const { paths, components } = JSON.parse(JSON.stringify(read))
  const { schema } = paths['/'].get.responses[200].content['application/json']
  return new Ajv2020({ strict: false, logger: false }).compile({ ...schema, components })
}

async function sends(property: unknown, value: unknown, options: object = {}) {
  const app = cloister(options)
  app.addSchema(USER)
  const schema = { response: { 200: { type: 'object', properties: { value: property } } } }
  app.route({ method: 'GET', url: '/', schema, handler: () => ({ value }) })
  await app.ready()
  return { app, response: await app.inject('/') }
}

describe('the document of a nullable schema', () => {
  it.each(
    Object.entries(FORMS).flatMap(([name, form]) =>
      VERSIONS.map((version) => [name, version, form] as const),
    ),
  )('admits the null that is sent: %s, version %s', async (_name, version, form) => {
    const { app, response } = await sends({ ...form, nullable: true }, null)
    expect(response.payload).toBe('{"value":null}')
    const document = openApiDocument(app, { version })
    expect(judge(document, version)(response.json())).toBe(true)
  })

  it.each(VERSIONS)(
    'has no null as a type of what is received where its values have none: version %s',
    async (version) => {
      const app = cloister()
      const body = {
        type: 'object',
        properties: {
          refused: { type: 'string', enum: ['a'], nullable: true },
          accepted: { type: 'string', enum: ['a', null], nullable: true },
        },
      }
      app.post('/', { schema: { body } }, () => 'x')
      await app.ready()
      const statuses = await Promise.all(
        ['refused', 'accepted'].map(async (name) =>
          app.inject({ method: 'POST', url: '/', payload: { [name]: null } }).then((one) => one.statusCode),
        ),
      )
      expect(statuses).toEqual([400, 200])
      const { paths } = JSON.parse(JSON.stringify(openApiDocument(app, { version })))
      const { refused, accepted } = paths['/'].post.requestBody.content['application/json'].schema.properties
      expect(refused).toEqual({ type: 'string', enum: ['a'] })
      expect(accepted).not.toEqual({ type: 'string', enum: ['a', null] })
    },
  )

  it.each(VERSIONS)('is valid: version %s', async (version) => {
    const forms = Object.entries(FORMS).map(([name, form]) => [`as ${name}`, { ...form, nullable: true }])
    const { app } = await sends({ type: 'object', properties: Object.fromEntries(forms) }, {})
    expect(await errorsOf(openApiDocument(app, { version }))).toEqual([])
  })

  it('admits null in a component that a response reaches', async () => {
    const app = cloister()
    app.addSchema({ $id: 'Pet', type: 'object', properties: { kind: { enum: ['cat'], nullable: true } } })
    const pets: object = { type: 'array', items: { $ref: 'Pet#' } }
    app.route({
      method: 'GET',
      url: '/',
      schema: { response: { 200: pets } },
      handler: () => [{ kind: null }],
    })
    expect((await app.inject('/')).payload).toBe('[{"kind":null}]')
    expect(openApiDocument(app).components?.schemas?.['Pet']).toMatchObject({
      properties: { kind: { enum: ['cat', null] } },
    })
  })

  it('admits every null that is sent, for drawn schemas', async () => {
    const names = fc.constantFrom(...Object.keys(FORMS))
    const form = names.map((name) => FORMS[name] ?? {})
    const drawn = fc.oneof(
      form,
      fc.array(form, { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
    )
    await fc.assert(
      fc.asyncProperty(drawn, fc.boolean(), fc.constantFrom(...VERSIONS), async (schema, strict, version) => {
        const options = strict ? { serialization: 'strict' } : {}
        const { app, response } = await sends({ ...schema, nullable: true }, null, options).catch(() => ({
          app: null,
          response: null,
        }))
        // The boot refuses some combinations.
        if (app === null || response.statusCode !== 200) return
        expect(judge(openApiDocument(app, { version }), version)(response.json())).toBe(true)
      }),
      { numRuns: 60, seed: 49 },
    )
  })
})

describe('version 3.0', () => {
  it('has a type beside each nullable, and properties with the names of keywords', async () => {
    const properties = {
      const: { type: 'string', const: 'a', nullable: true },
      enum: { enum: ['a'], nullable: true },
      examples: { type: 'string', examples: ['a'] },
      type: { type: 'null' },
      nullable: { anyOf: [user, { type: 'null' }] },
      sibling: { ...user, description: 'beside' },
      contentEncoding: { type: 'string', contentEncoding: 'base64' },
      zero: { const: 0 },
    }
    const { app } = await sends({ type: 'object', properties }, {})
    const document = openApiDocument(app, { version: '3.0' })
    const text = JSON.stringify(document)
    const { schema } = JSON.parse(text).paths['/'].get.responses[200].content['application/json']
    expect(schema.properties.value.properties).toEqual({
      const: { type: 'string', nullable: true, enum: ['a', null] },
      enum: { type: 'string', nullable: true, enum: ['a', null] },
      examples: { type: 'string', example: 'a' },
      type: { type: 'string', nullable: true, enum: [null] },
      nullable: {
        anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'string', nullable: true, enum: [null] }],
      },
      sibling: { allOf: [{ $ref: '#/components/schemas/User' }], description: 'beside' },
      contentEncoding: { type: 'string', format: 'byte' },
      zero: { enum: [0] },
    })
    expect(await errorsOf(document)).toEqual([])
  })

  it.each(VERSIONS)('has no boolean schemas that tools do not read: %s', async (version) => {
    const properties = { any: true, none: false, list: { type: 'array', items: true }, open: { not: true } }
    const { app } = await sends({ type: 'object', properties, additionalProperties: false }, {})
    const { schema } = JSON.parse(JSON.stringify(openApiDocument(app, { version }))).paths['/'].get
      .responses[200].content['application/json']
    expect(schema.properties.value).toEqual({
      type: 'object',
      properties: {
        any: {},
        none: { not: {} },
        list: { type: 'array', items: {} },
        open: { not: {} },
      },
      additionalProperties: false,
    })
  })
})
