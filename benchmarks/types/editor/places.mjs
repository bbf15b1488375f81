// Places where authors of an app look at what their editor says. `‸` is the cursor; it is not part of the text. At
// a cursor that completes, the text is what stands there while one types, so it need not compile.

/**
 * @typedef {object} Place
 * @property {string} name
 * @property {string} text
 * @property {readonly string[]} [offers] members that are completed
 * @property {RegExp} [says] what a hover says of the name after the cursor
 * @property {number} [within] in how many characters
 */

const head = `import { cloister } from 'cloister'\n`
const app = `${head}const app = cloister()\n`
const shop = `${head}const app = cloister().decorate('db', { find: (id: string) => id }).decorateRequest('user', 'ada').decorateReply('cached', () => true)\n`

const instance =
  'get post put delete all route register after ready listen close inject addHook addSchema decorate ' +
  'decorateRequest decorateReply hasDecorator setErrorHandler setNotFoundHandler addContentTypeParser log server'
const request = ['params', 'query', 'body', 'headers', 'log', 'ip', 'server', 'raw']
const reply = ['send', 'code', 'header', 'redirect', 'type', 'log', 'server', 'raw']

const schemas =
  `{ body: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }, ` +
  `response: { 200: { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } } } }`

/** @type {readonly Place[]} */
export const places = [
  {
    name: 'the instance of a plugin given to register',
    text: `${app}app.register(async (child) => { child.‸ })\n`,
    offers: instance.split(' '),
  },
  {
    name: 'the instance of a plugin, hovered',
    text: `${app}app.register(async (‸child) => { child.get('/', () => 'x') })\n`,
    says: /child: (?:cloister\.)?Cloister</,
  },
  {
    name: 'the instance of a plugin under a prefix',
    text: `${app}app.register(async (child) => { child.‸ }, { prefix: '/v1' })\n`,
    offers: instance.split(' '),
  },
  {
    name: 'the instance of a plugin under a prefix, hovered',
    text: `${app}app.register(async (‸child) => { child.get('/', () => 'x') }, { prefix: '/v1' })\n`,
    says: /child: (?:cloister\.)?Cloister<.*"\/v1"/s,
  },
  {
    name: 'the instance of a plugin that calls done',
    text: `${app}app.register((child, options, done) => { child.‸\n done() })\n`,
    offers: instance.split(' '),
  },
  {
    name: 'done of a plugin, hovered',
    text: `${app}app.register((child, options, ‸done) => { done() })\n`,
    says: /done: \(error\?: Error/,
  },
  {
    name: 'the instance of a plugin within a plugin',
    text: `${app}app.register(async (outer) => { outer.register(async (inner) => { inner.‸ }) })\n`,
    offers: instance.split(' '),
  },
  {
    name: 'the instance of a plugin within a plugin, under two prefixes',
    text: `${app}app.register(async (outer) => {\n  outer.register(async (inner) => {\n    inner.‸\n  }, { prefix: '/b' })\n}, { prefix: '/a' })\n`,
    offers: instance.split(' '),
  },
  {
    name: 'decorations of the parent in a plugin',
    text: `${shop}app.register(async (child) => { child.db.‸ })\n`,
    offers: ['find'],
  },
  {
    name: 'the request of a handler in a plugin',
    text: `${shop}app.register(async (child) => { child.get('/', (request) => { request.‸ }) })\n`,
    offers: [...request, 'user'],
  },
  {
    name: 'the request of a handler in a plugin, hovered',
    text: `${shop}app.register(async (child) => { child.get('/', (‸request) => request.user) })\n`,
    says: /request: .*\b(Fastify|Context)Request</s,
  },
  {
    name: 'the reply of a handler in a plugin',
    text: `${shop}app.register(async (child) => { child.get('/', (request, reply) => { reply.‸ }) })\n`,
    offers: [...reply, 'cached'],
  },
  {
    name: 'params of a handler, from the prefix and the path',
    text: `${app}app.register(async (child) => { child.get('/:id', (request) => { request.params.‸ }) }, { prefix: '/:shop' })\n`,
    offers: ['shop', 'id'],
  },
  {
    name: 'params of a handler that is being written',
    text: `${app}app.get('/:id', (request) => { request.params.‸ })\n`,
    offers: ['id'],
  },
  {
    name: 'the body of a handler, by its schema',
    text: `${app}app.post('/', { schema: { body: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } } }, async (request) => {\n  request.body.‸\n})\n`,
    offers: ['title'],
  },
  {
    name: 'the body of a handler among the options of route',
    text: `${app}app.route({ method: 'POST', url: '/', schema: { body: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } }, handler: async (request) => {\n  request.body.‸\n} })\n`,
    offers: ['title'],
  },
  {
    name: 'the body of a handler among the options of a shorthand',
    text: `${app}app.post('/', { schema: { body: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } }, handler: async (request) => {\n  request.body.‸\n} })\n`,
    offers: ['title'],
  },
  {
    name: 'the body of a handler in a plugin, by its schema',
    text: `${app}app.register(async (child) => {\n  child.post('/', { schema: { body: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } } }, async (request) => {\n    request.body.‸\n  })\n})\n`,
    offers: ['title'],
  },
  {
    name: 'the query of preHandler of a route',
    text: `${app}app.get('/', { schema: { querystring: { type: 'object', properties: { limit: { type: 'integer', default: 1 } } } }, preHandler: async (request) => {\n  request.query.‸\n} }, () => 'x')\n`,
    offers: ['limit'],
  },
  {
    name: 'the request of onRequest of a route in a plugin',
    text: `${shop}app.register(async (child) => { child.get('/', { onRequest: async (request) => { request.‸ } }, () => 'x') })\n`,
    offers: [...request, 'user'],
  },
  {
    name: 'the request of a hook of a plugin',
    text: `${shop}app.register(async (child) => { child.addHook('onRequest', async (request, reply) => { request.‸ }) })\n`,
    offers: [...request, 'user'],
  },
  {
    name: 'the reply of a hook of a plugin, hovered',
    text: `${shop}app.register(async (child) => { child.addHook('onSend', async (request, ‸reply, payload) => payload) })\n`,
    says: /reply: .*Reply</s,
  },
  {
    name: 'the error of an error handler of a plugin',
    text: `${app}app.register(async (child) => { child.setErrorHandler((error, request, reply) => { error.‸ }) })\n`,
    offers: ['message', 'statusCode', 'validation'],
  },
  {
    name: 'the reply of an error handler of a plugin',
    text: `${shop}app.register(async (child) => { child.setErrorHandler((error, request, reply) => { reply.‸ }) })\n`,
    offers: [...reply, 'cached'],
  },
  {
    name: 'the request of the handler of what was not found, in a plugin',
    text: `${shop}app.register(async (child) => { child.setNotFoundHandler((request, reply) => { request.‸ }) })\n`,
    offers: [...request, 'user'],
  },
  {
    name: 'names of hooks',
    text: `${app}app.addHook('‸', async () => {})\n`,
    offers: ['onRequest', 'preHandler', 'onSend', 'onClose', 'onRoute'],
  },
  {
    name: 'names of hooks, in a plugin',
    text: `${app}app.register(async (child) => { child.addHook('‸') })\n`,
    offers: ['onRequest', 'preHandler', 'onSend', 'onClose', 'onRoute'],
  },
  {
    name: 'options of the factory',
    text: `${head}export const app = cloister({ ‸ })\n`,
    offers: ['logger', 'bodyLimit', 'genReqId', 'trustProxy', 'routerOptions'],
  },
  {
    name: 'options of the logger within those of the factory',
    text: `${head}export const app = cloister({ logger: { ‸ } })\n`,
    offers: ['level'],
  },
  {
    name: 'the request of genReqId among the options of the factory',
    text: `${head}export const app = cloister({ genReqId: (request) => request.‸ })\n`,
    offers: ['headers', 'method', 'url', 'socket'],
  },
  {
    name: 'options of a route',
    text: `${app}app.get('/', { ‸ }, () => 'x')\n`,
    offers: ['schema', 'preHandler', 'config', 'bodyLimit', 'onRequest'],
  },
  {
    name: 'options of a route, in a plugin',
    text: `${app}app.register(async (child) => { child.get('/', { ‸ }, () => 'x') })\n`,
    offers: ['schema', 'preHandler', 'config', 'bodyLimit', 'onRequest'],
  },
  {
    name: 'options of route',
    text: `${app}app.route({ ‸ })\n`,
    offers: ['method', 'url', 'handler', 'schema', 'preHandler'],
  },
  {
    name: 'keys of the schema of a route',
    text: `${app}app.post('/', { schema: { ‸ } }, () => 'x')\n`,
    offers: ['body', 'querystring', 'params', 'headers', 'response', 'tags'],
  },
  {
    name: 'keys of the schema of a route that has one key already',
    text: `${app}app.post('/', { schema: { body: { type: 'object' }, ‸ } }, () => 'x')\n`,
    offers: ['querystring', 'params', 'headers', 'response'],
  },
  {
    name: 'keys of the schema of a route in full',
    text: `${app}app.route({ method: 'POST', url: '/', schema: { ‸ }, handler: () => 'x' })\n`,
    offers: ['body', 'querystring', 'params', 'headers', 'response'],
  },
  {
    name: 'options of register',
    text: `${app}app.register(async (child) => { child.get('/', () => 'x') }, { ‸ })\n`,
    offers: ['prefix', 'logLevel', 'logSerializers'],
  },
  {
    name: 'options of a plugin that states them',
    text: `import { cloister, definePlugin } from 'cloister'\nconst limits = definePlugin<{ options: { max: number; every?: string } }>({ plugin: async () => {} })\ncloister().register(limits, { ‸ })\n`,
    offers: ['max', 'every', 'prefix'],
  },
  {
    name: 'what a plugin provides, after it is registered',
    text: `import { cloister, definePlugin } from 'cloister'\nconst db = definePlugin<{ provides: { app: { db: { find(id: string): string } } } }>({ plugin: async () => {} })\nconst app = cloister().register(db)\napp.db.‸\n`,
    offers: ['find'],
  },
  {
    name: 'payloads by status, in send',
    text: `${app}app.get('/', { schema: { response: { 200: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } } } }, (request, reply) => reply.code(200).send({ ‸ }))\n`,
    offers: ['title'],
  },
  {
    name: 'the request of a handler with schemas, hovered',
    text: `${shop}app.post('/:id', { schema: ${schemas} }, (‸request, reply) => ({ id: 1, title: 'x' }))\n`,
    says: /request: ContextRequest<.*user: string.*id: string.*title: string/s,
    within: 400,
  },
  {
    name: 'the reply of a handler with schemas, hovered',
    text: `${shop}app.post('/:id', { schema: ${schemas} }, (request, ‸reply) => ({ id: 1, title: 'x' }))\n`,
    says: /reply: RouteReply<.*200: .*title\?: string/s,
    within: 400,
  },
  {
    name: 'the request of a hook, hovered',
    text: `${shop}app.addHook('onRequest', async (‸request, reply) => {})\n`,
    says: /request: ContextRequest</,
    within: 200,
  },
  {
    name: 'the reply of a hook, hovered',
    text: `${shop}app.addHook('onRequest', async (request, ‸reply) => {})\n`,
    says: /reply: ContextReply</,
    within: 200,
  },
  {
    name: 'register, hovered',
    text: `${shop}app.‸register(async (child) => { child.get('/', () => 'x') }, { prefix: '/v1' })\n`,
    says: /\bregister\b.*Cloister</s,
    within: 700,
  },
  {
    name: 'register in an app without decorations, hovered',
    text: `${app}app.‸register(async (child) => { child.get('/', () => 'x') }, { prefix: '/v1' })\n`,
    says: /\bregister\b.*Cloister</s,
    within: 400,
  },
  {
    name: 'the instance of a plugin in a decorated app, hovered',
    text: `${shop}app.register(async (‸child) => { child.get('/', () => 'x') })\n`,
    says: /child: (?:cloister\.)?Cloister<.*"app\.db" \| "re/s,
    within: 250,
  },
  {
    name: 'get, hovered',
    text: `${shop}app.‸get('/:id', (request) => request.params.id)\n`,
    says: /\bget: .*"\/:id"/s,
    within: 815,
  },
  {
    name: 'post with schemas, hovered',
    text: `${shop}app.‸post('/:id', { schema: ${schemas} }, (request, reply) => ({ id: 1, title: 'x' }))\n`,
    says: /\bpost: .*"\/:id"/s,
    within: 1500,
  },
  {
    name: 'route, hovered',
    text: `${shop}app.‸route({ method: 'GET', url: '/:id', handler: (request) => request.params.id })\n`,
    says: /\broute<.*"\/:id"/s,
    within: 940,
  },
]
