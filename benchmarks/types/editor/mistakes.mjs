// Mistakes that authors of an app make, and the part of the compiler's message that helps.

/**
 * @typedef {object} Mistake
 * @property {string} name
 * @property {string} text code with one mistake
 * @property {RegExp} says what the message says
 * @property {number} within in how many lines, counted from the first
 */

const head = `import { cloister, definePlugin } from 'cloister'\nimport type { Cloister, Ctx } from 'cloister'\n`

/** @type {readonly Mistake[]} */
export const mistakes = [
  {
    name: 'a plugin that is registered before the one that provides what it needs',
    text: `${head}const routes = definePlugin<{ needs: { app: { db: Map<string, string> } } }>({ plugin: async () => {} })\ncloister().register(routes)\n`,
    says: /this plugin needs app\.db, which this context does not have/,
    within: 1,
  },
  {
    name: 'a plugin whose parameter requires something that requests do not have',
    text: `${head}cloister().register(async (app: Cloister<Ctx<{}, { user: string }>>) => { app.get('/', (request) => request.user) }, { prefix: '/v1' })\n`,
    says: /this plugin needs request\.user, which this context does not have/,
    within: 1,
  },
  {
    name: 'a plugin that needs a shared schema which no context has',
    text: `${head}cloister().register(async (app: Cloister<Ctx<{}, {}, {}, { book: { type: 'object' } }>>) => { app.get('/', () => 'x') })\n`,
    says: /this plugin needs the shared schema 'book', which this context does not have/,
    within: 1,
  },
  {
    name: 'a plugin from a promise of a module, which needs a missing decorator',
    text: `${head}declare const loading: Promise<{ default: (app: Cloister<Ctx<{ db: string }>>) => Promise<void> }>\ncloister().register(loading)\n`,
    says: /this plugin needs app\.db, which this context does not have/,
    within: 1,
  },
  {
    name: 'a decorator whose name is already used',
    text: `${head}cloister().decorate('db', 1).decorate('db', 2)\n`,
    says: /'db' is already decorated in this context/,
    within: 3,
  },
  {
    name: 'a reference to a schema that is not shared',
    text: `${head}cloister().post('/', { schema: { body: { $ref: 'book#' } } }, () => 'x')\n`,
    says: /'book#' refers to no schema that this context sees/,
    within: 2,
  },
  {
    name: 'a member that requests do not have',
    text: `${head}cloister().get('/', (request) => request.user)\n`,
    says: /'user' does not exist on type 'ContextRequest<Ctx</,
    within: 1,
  },
  {
    name: 'a handler that may end without a response, although one is declared',
    text: `${head}cloister().get('/', { schema: { response: { 200: { type: 'string' } } } }, async () => {})\n`,
    says: /this handler may end without a reply: return one on every path/,
    within: 1,
  },
  {
    name: 'a reply that is returned before anything is sent',
    text: `${head}cloister().get('/', { schema: { response: { 200: { type: 'string' } } } }, (request, reply) => reply.code(200))\n`,
    says: /nothing is sent yet/,
    within: 4,
  },
  {
    name: 'a misspelt option of the factory',
    text: `${head}cloister({ strict: true, loger: true })\n`,
    says: /'loger' is not an option; did you mean 'logger'\?/,
    within: 1,
  },
  {
    name: 'a misspelt keyword in the schema of a route',
    text: `${head}cloister().post('/', { schema: { body: { type: 'object', properties: { a: { type: 'string', minLenght: 3 } } } } }, () => 'x')\n`,
    says: /'minLenght' is no keyword of JSON Schema; did you mean 'minLength'\?/,
    within: 2,
  },
  {
    name: 'required as a boolean of a property',
    text: `${head}cloister().post('/', { schema: { body: { type: 'object', properties: { a: { type: 'string', required: true } } } } }, () => 'x')\n`,
    says: /'required' lists the names of properties, on the object that has them/,
    within: 2,
  },
  {
    name: 'a body schema for GET',
    text: `${head}cloister().get('/', { schema: { body: { type: 'object' } } }, () => 'x')\n`,
    says: /GET and HEAD have no body: use schema\.querystring, or the method POST/,
    within: 2,
  },
  {
    name: 'a body schema for GET among other methods',
    text: `${head}cloister().route({ method: ['GET', 'POST'], url: '/', schema: { body: { type: 'object' } }, handler: () => 'x' })\n`,
    says: /GET and HEAD have no body: use schema\.querystring, or the method POST/,
    within: 2,
  },
  {
    name: 'two mistakes in a long schema in a variable',
    text: `${head}const body = { type: 'object', required: ['name', 'mail'], properties: { name: { type: 'string', minLenght: 3 }, mail: { type: 'string', format: 'email', required: true }, age: { type: 'integer', minimum: 3 } }, additionalProperties: false } as const\ncloister().post('/', { schema: { body } }, () => 'x')\n`,
    says: /'minLenght' is no keyword of JSON Schema; did you mean 'minLength'\?.*'required' lists the names/,
    within: 3,
  },
  {
    name: 'a schema in a variable without as const',
    text: `${head}const body = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }\ncloister().post('/', { schema: { body } }, (request) => request.body.name)\n`,
    says: /'name' does not exist on type 'WideSchema<"its schema is in a variable without `as const`: write that behind the schema">'/,
    within: 1,
  },
  {
    name: 'a list of properties in a variable without as const',
    text: `${head}const querystring = { name: { type: 'string' } }\ncloister().get('/', { schema: { querystring } }, (request) => request.query.name?.length)\n`,
    says: /'length' does not exist on type 'WideSchema<"its schema is in a variable without `as const`/,
    within: 1,
  },
  {
    name: 'a payload whose type does not match the schema',
    text: `${head}cloister().get('/', { schema: { response: { 200: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } } } }, () => ({ id: 'one' }))\n`,
    says: /Type 'string' is not assignable to type 'number \| bigint'/,
    within: 1,
  },
  {
    name: 'a status that no schema declares',
    text: `${head}cloister().get('/', { schema: { response: { 200: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } } } }, (request, reply) => reply.code(404).send({ id: 1 }))\n`,
    says: /'404' is not assignable to parameter of type '200'/,
    within: 1,
  },
  {
    name: 'a misspelt property of the query',
    text: `${head}cloister().get('/', { schema: { querystring: { limit: { type: 'integer' } } } }, (request) => request.query.limt)\n`,
    says: /'limt' does not exist .* Did you mean 'limit'\?/,
    within: 1,
  },
  {
    name: 'a parameter that the path does not have',
    text: `${head}cloister().get('/users/:id', (request) => request.params.userId)\n`,
    says: /'userId' does not exist on type .*\{ id: string; \}/,
    within: 1,
  },
  {
    name: 'a body without a schema',
    text: `${head}cloister().post('/', (request) => request.body.name)\n`,
    says: /'request\.body' is of type 'unknown'/,
    within: 1,
  },
  {
    name: 'a type that JSON Schema does not have',
    text: `${head}cloister().post('/', { schema: { body: { type: 'strng' } } }, () => 'x')\n`,
    says: /'strng' is no type of JSON Schema: write one of string, number/,
    within: 3,
  },
  {
    name: 'a misspelt option of a route',
    text: `${head}cloister().get('/', { shema: {} }, () => 'x')\n`,
    says: /'shema' does not exist .* Did you mean to write 'schema'\?/,
    within: 1,
  },
  {
    name: 'a misspelt part of a schema',
    text: `${head}cloister().get('/', { schema: { querystrng: {} } }, () => 'x')\n`,
    says: /'querystrng' does not exist .* Did you mean to write 'querystring'\?/,
    within: 1,
  },
  {
    name: 'an option with a value of the wrong type',
    text: `${head}cloister({ bodyLimit: '1mb' })\n`,
    says: /Type 'string' is not assignable to type 'number'/,
    within: 1,
  },
  {
    name: 'an object that all requests would share',
    text: `${head}cloister().decorateRequest('user', { name: 'Ada' })\n`,
    says: /all requests would share this object: decorate with null and assign a fresh value in a hook/,
    within: 4,
  },
  {
    name: 'a hook with a misspelt name',
    text: `${head}cloister().addHook('onRequset', async () => {})\n`,
    says: /'"onRequset"' is not assignable to parameter of type 'HookName'/,
    within: 3,
  },
  {
    name: 'a plugin without the option that it requires',
    text: `${head}const database = definePlugin<{ options: { url: string } }>({ plugin: async () => {} })\ncloister().register(database)\n`,
    says: /Expected 2 arguments, but got 1/,
    within: 1,
  },
  {
    name: 'a misspelt option of listen',
    text: `${head}cloister().listen({ port: 3000, hostname: '0.0.0.0' })\n`,
    says: /'hostname' does not exist in type 'ListenOptions'/,
    within: 9,
  },
  {
    name: 'a port that is a text',
    text: `${head}cloister().listen({ port: process.env['PORT'] })\n`,
    says: /'string \| undefined' is not assignable to type 'number/,
    within: 9,
  },
]
