// Run with the condition `workerd`. Boots an app for each feature without it, then with it; prints what happened.
import { cloister, errorCodes, sse } from 'cloister'

const library = {
  '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }), jsonSchema: undefined },
}
const body = (schema) => (app) => app.post('/', { schema: { body: schema } }, (request) => request.body)
const response = (schema) => (app) => app.get('/', { schema: { response: { 200: schema } } }, () => ({}))
const mail = { type: 'object', properties: { mail: { type: 'string', format: 'email' } } }
const union = { anyOf: [{ type: 'string' }, { type: 'object' }] }
const content = (type, schema) => ({ content: { [type]: { schema } } })
const app = (define, options) => async () => {
  const made = cloister(options)
  define(made)
  await made.ready()
}

/** By feature: apps that need it. */
const NEEDS = {
  constraints: [
    app((own) => own.get('/', { constraints: { version: '1.0.0' } }, () => 'x')),
    app((own) => own.get('/', { constraints: { host: 'a.example' } }, () => 'x')),
  ],
  exact: [
    app(() => {}, { integers: 'exact' }),
    app(() => {}, { strict: true, contentNegotiation: false, exposeErrors: true, problemDetails: false }),
  ],
  expressions: [
    app(body({ type: 'object', properties: { a: { type: 'string', pattern: '(?:a+)+$' } } })),
    app(body({ type: 'object', patternProperties: { '(?:a+)+$': true } })),
  ],
  formats: [
    app(body(mail)),
    app((own) => own.addSchema({ $id: 'mail', ...mail }) && body({ $ref: 'mail#' })(own)),
  ],
  forms: [
    app(body(content('multipart/form-data', { type: 'object', properties: {} }))),
    app(body(content('application/x-www-form-urlencoded', { type: 'object', properties: {} }))),
  ],
  guards: [app((own) => own.addGuard('user', () => ({ id: 1 })))],
  inspect: [
    async () => {
      const own = cloister()
      own.get('/', () => 'x')
      await own.ready()
      own.explain()
      own.printPlugins()
    },
  ],
  int64: [
    app(body({ type: 'object', properties: { id: { type: 'integer', format: 'int64' } } }), {
      integers: 'bigint',
    }),
  ],
  items: [
    app(response(content('text/event-stream', { type: 'object' }))),
    app(body(content('application/x-ndjson', { type: 'object' }))),
  ],
  keywords: [
    app(body({ type: 'array', uniqueItems: true })),
    app(body({ type: 'array', contains: { type: 'string' } })),
    app(body({ type: 'object', propertyNames: { maxLength: 3 } })),
    app(body({ type: 'object', properties: { a: { type: 'string' } } }), { jsonSchemaDialect: '2020-12' }),
    app(body({ type: 'object', properties: {}, unevaluatedProperties: false }), {
      jsonSchemaDialect: '2020-12',
    }),
  ],
  libraries: [app(body(library)), app(response(library))],
  logger: [app(() => {}, { logger: true }), app((own) => own.log.info('x'), { logger: { level: 'fatal' } })],
  logs: [
    app(() => {}, { loggerInstance: { ...console, fatal() {}, child: () => console } }),
    app(() => {}, { exposeErrors: false }),
    app((own) => own.get('/', { logSerializers: { a: String } }, () => 'x')),
  ],
  mount: [app((own) => own.mount('/other', () => new Response('x')))],
  namespace: [
    async () => cloister.definePlugin({ plugin: () => {} }),
    async () => Object.hasOwn(cloister, 'errorCodes') && cloister.errorCodes.CLO_ERR_NOT_FOUND('it'),
  ],
  negotiation: [
    app(() => {}, { contentNegotiation: true }),
    app(() => {}, { validationMessages: { de: () => {} } }),
  ],
  plugins: [app((own) => own.register(async () => {})), app((own) => own.after(() => {}))],
  problems: [app(() => {}, { problemDetails: true }), app(() => {}, { problemDetails: 'accepted' })],
  proxies: [app(() => {}, { trustProxy: '10.0.0.0/8' })],
  report: [app(() => {}, { strict: 'report' })],
  upgrades: [
    app((own) =>
      own.route({ method: 'GET', url: '/', upgrade: { protocol: 'x', take() {} }, handler: () => 'x' }),
    ),
  ],
  unions: [
    app(body(union)),
    app(response(union)),
    app(response({ type: 'array', items: { if: { type: 'string' }, then: { type: 'string' } } })),
    app(body({ type: 'object', properties: { a: { type: 'object', properties: { b: union } } } })),
  ],
}

const attempt = (run) =>
  run().then(
    () => 'started',
    ({ message, cause }) => `${message} ${cause?.message ?? ''}`,
  )
const attempts = async (feature) => {
  const results = []
  for (const run of NEEDS[feature]) results.push(await attempt(run))
  return results
}

const unlinked = {}
for (const feature of Object.keys(NEEDS)) unlinked[feature] = await attempts(feature)
const short = errorCodes.CLO_ERR_REP_ALREADY_SENT('/', 'GET').message
const linked = {}
for (const feature of Object.keys(NEEDS)) {
  await import(`cloister/features/${feature}`)
  linked[feature] = await attempts(feature)
}
await import('cloister/features/texts')
const full = errorCodes.CLO_ERR_REP_ALREADY_SENT('/', 'GET').message
await import('cloister/features/all')
console.log(JSON.stringify({ unlinked, linked, texts: { short, full }, sse: typeof sse }))
