import { openApiDocument } from '@cloister/openapi'
import { cloister } from 'cloister'
import { z } from 'zod'
import { codeOf, create, memberOf, object, post, probe, statusOf, textOf } from './probe.ts'
import type { Given, Probes } from './probe.ts'

const INTEGER = { type: 'integer' }
const TEXT = { type: 'string' }

/** Sends a body to a route with a schema for it, which sends it back. */
const body =
  (schema: object, payload: string, base: Given = {}) =>
  (given: Given) =>
    textOf(
      create({ ...base, ...given }).post('/', { schema: { body: schema } }, (request) => request.body),
      post(payload),
    )
const bodyStatus = (schema: object, payload: string) => (given: Given) =>
  statusOf(
    create(given).post('/', { schema: { body: schema } }, () => 'ok'),
    post(payload),
  )
const query =
  (schema: object, name: string, url = '/?page=x') =>
  (given: Given) =>
    memberOf(
      create(given).get('/', { schema: { querystring: schema } }, () => ({})),
      name,
      url,
    )
const PAGE = object({ page: INTEGER })
const closed = (property: string): object => object({ [property]: TEXT }, { additionalProperties: false })
const branch = (kind: string): object =>
  object({ kind: { const: kind }, n: INTEGER }, { required: ['kind', 'n'] })

/** The code of the error that ends the boot of an app with this schema. */
const boot = (querystring: object) => (given: Given) =>
  codeOf(() =>
    create(given)
      .get('/', { schema: { querystring } }, () => 'ok')
      .ready(),
  )
/** Whether a function makes code from text. */
async function makesCode(run: () => unknown): Promise<boolean> {
  const { Function: own } = globalThis
  let isMade = false
  const construct = (target: typeof Function, args: string[]): object => {
    // A function of an empty text only asks whether the process allows it.
    isMade ||= args.some((text) => text !== '')
    return Reflect.construct(target, args)
  }
  globalThis.Function = new Proxy(own, { construct })
  try {
    await run()
    return isMade
  } finally {
    globalThis.Function = own
  }
}
const INVALID = 'CLO_ERR_SCH_VALIDATION_BUILD'

const refusing = () => () => ({ error: new Error('refused by mine') })

export const schemas: Probes = {
  jsonShorthand: probe(false, 'none', INVALID, boot({ a: INTEGER })),
  ajv: probe({ customOptions: { coerceTypes: false } }, 200, 400, (given) =>
    statusOf(
      create(given).get('/', { schema: { querystring: PAGE } }, () => 'ok'),
      '/?page=1',
    ),
  ),
  serializerOpts: probe({ rounding: 'ceil' }, '{"page":1}', '{"page":2}', (given) =>
    textOf(create(given).get('/', { schema: { response: { 200: PAGE } } }, () => ({ page: 1.2 }))),
  ),
  schemaController: probe(
    { compilersFactory: { buildValidator: () => refusing } },
    'querystring/page must be integer',
    'refused by mine',
    query(PAGE, 'message'),
  ),
  schemaErrorFormatter: probe(
    () => new Error('formatted'),
    'querystring/page must be integer',
    'formatted',
    query(PAGE, 'message'),
  ),
  jsonSchemaDialect: probe('2020-12', INVALID, 'none', boot(object({ a: { prefixItems: [INTEGER] } }))),
  schemaCompilation: probe('eager', false, true, async (given) => {
    const app = create({ codeGeneration: 'always', ...given })
    app.get('/', { schema: { querystring: PAGE } }, () => 'ok')
    return makesCode(() => app.ready())
  }),
  codeGeneration: probe('always', 'closures', 'code', async (given) => {
    const app = create(given).get('/', { schema: { querystring: PAGE } }, () => 'ok')
    await app.ready()
    const explain: unknown = Reflect.get(app, 'explain')
    const route: unknown = typeof explain === 'function' ? explain.call(app, 'GET', '/') : null
    const [validator]: unknown[] = Reflect.get(Object(route), 'validators')
    return Reflect.get(Object(validator), 'tier')
  }),
  coerceJsonBodies: probe(false, 200, 400, bodyStatus(PAGE, '{"page":"1"}')),
  integers: probe('exact', 200, 400, bodyStatus(PAGE, '{"page":9007199254740993}')),
  serialization: probe('strict', 200, 500, (given) =>
    statusOf(create(given).get('/', { schema: { response: { 200: PAGE } } }, () => ({ page: 1.5 }))),
  ),
  refusedDefaults: probe('refuse', 400, 'CLO_ERR_SCH_INVALID', async (given) => {
    const schema = { querystring: { page: { type: 'integer', default: 'x' } } }
    const app = create(given).get('/', { schema }, () => 'ok')
    return (await codeOf(() => app.ready(), '')) || statusOf(app)
  }),
  unionErrors: probe('branch', 3, 1, async (given) => {
    const app = create({ validationErrorLimit: 10, ...given })
    app.post('/', { schema: { body: { anyOf: [branch('a'), branch('b')] } } }, () => 'ok')
    app.setErrorHandler((error, _request, reply) => {
      reply.send(Array.isArray(error.validation) ? error.validation.length : 0)
    })
    return Number(await textOf(app, post('{"kind":"a"}')))
  }),
  unionRemoval: probe(
    'branch',
    '{}',
    '{"b":"x"}',
    body({ anyOf: [closed('a'), closed('b')] }, '{"b":"x","c":"y"}'),
  ),
  validationErrorLimit: probe(
    2,
    'body/a must be integer',
    'body/a must be integer, body/b must be integer',
    (given) =>
      memberOf(
        create(given).post('/', { schema: { body: object({ a: INTEGER, b: INTEGER }) } }, () => 'ok'),
        'message',
        post('{"a":"x","b":"y"}'),
      ),
  ),
  validationMessages: probe(
    (violations: { message: string }[]) => {
      for (const violation of violations) violation.message = 'translated'
    },
    'querystring/page must be integer',
    'querystring/page translated',
    query(PAGE, 'message'),
  ),
  validateResponses: probe('never', 500, 200, (given, route) =>
    statusOf(
      create(given).get(
        '/',
        { ...route, schema: { response: { 200: z.object({ a: z.string().min(3) }) } } },
        () => ({
          a: 'x',
        }),
      ),
    ),
  ),
  undeclaredStatuses: probe('error', 201, 500, (given, route) =>
    statusOf(
      create(given).get('/', { ...route, schema: { response: { 200: PAGE } } }, (_request, reply) =>
        reply.code(201).send({ page: 1 }),
      ),
    ),
  ),
  cookieSchemas: probe('document', 400, 200, (given) =>
    statusOf(
      create(given).get(
        '/',
        { schema: { cookies: object({ sid: TEXT }, { required: ['sid'] }) } },
        () => 'ok',
      ),
    ),
  ),
  documentedTrailingSlash: probe('slash', '/a', '/a/', async (given) => {
    const app = cloister(given)
    app.register(async (child) => void child.get('/', () => 'ok'), { prefix: '/a' })
    await app.ready()
    const [path] = Object.keys(Object(openApiDocument(app).paths))
    await app.close()
    return path
  }),
  requireSchemas: probe(['params'], 'none', 'CLO_ERR_SCH_REQUIRED', (given, route) =>
    codeOf(() =>
      create(given)
        .get('/:id', route, () => 'ok')
        .ready(),
    ),
  ),
}
