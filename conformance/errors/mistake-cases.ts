// Mistakes that newcomers make, each with what its error must tell them to do.
import { sse } from 'cloister'

import type { App, Done, Reply, Request } from '../harness/app-shape.ts'

/** A mistake: what is written, and what the error says to do about it. */
export interface Mistake {
  readonly what: string
  readonly todo: RegExp
  readonly options?: Record<string, unknown>
  /** makes the mistake in an app; the error comes from here, from `ready`, or from the request */
  readonly make: (app: App) => unknown
  /** the request that runs into it */
  readonly request?: {
    readonly method: string
    readonly payload?: object | string
    readonly headers?: Record<string, string>
  }
}

const handler = (): string => 'ok'
const noop = (): void => {}
/** What has another type than the interface wants. */
const wrong = (app: App, method: string, ...values: unknown[]): unknown =>
  Reflect.apply(Object(Reflect.get(app, method)), app, values)
const withMeta = (meta: object): (() => Promise<void>) =>
  Object.assign(async () => {}, { [Symbol.for('skip-override')]: true, [Symbol.for('plugin-meta')]: meta })
const bodyOf = (body: object): { schema: Record<string, unknown> } => ({ schema: { body } })
const get = { method: 'GET' }
const response = { 200: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } }

/** While the app starts. */
export const BOOT: readonly Mistake[] = [
  {
    what: "`register(plugin, '/v1')`",
    todo: /must be an object, .*got '\/v1' .*\{ prefix: '\/v1' \}/,
    make: (app) => wrong(app, 'register', async () => {}, '/v1'),
  },
  {
    what: 'a module without a default export',
    todo: /object with the functions users, orders .*Of a module with several functions, pass one/,
    make: (app) => wrong(app, 'register', { users: noop, orders: noop }),
  },
  {
    what: '`decorate({ db })`',
    todo: /a text or a symbol, got object .*app\.decorate\('db', value\)/,
    make: (app) => wrong(app, 'decorate', { db: 1 }),
  },
  {
    what: 'a not-found handler that is a text',
    todo: /app\.setNotFoundHandler\(\(request, reply\)/,
    make: (app) => wrong(app, 'setNotFoundHandler', 'not here'),
  },
  {
    what: 'a misspelt hook of a not-found handler',
    todo: /not-found handler at \/ has an unknown option 'preHandlr'; did you mean 'preHandler'\?/,
    make: (app) => wrong(app, 'setNotFoundHandler', { preHandlr: noop }, handler),
  },
  ...['paseAs', 'parseas', 'bodyLimits'].map((name) => ({
    what: `the option '${name}' of a parser`,
    todo: /parser of 'text\/csv' has an unknown option '\w+'; did you mean '(?:parseAs|bodyLimit)'\?/,
    make: (app: App) => wrong(app, 'addContentTypeParser', 'text/csv', { [name]: 'string' }, async () => ''),
  })),
  {
    what: 'misspelt cookies in a schema',
    todo: /unknown option 'schema\.cookie'; did you mean 'cookies'\?/,
    make: (app) => app.get('/', { schema: { cookie: { type: 'object' } } }, handler),
  },
  {
    what: 'a constraint that no strategy reads',
    todo: /constraint key vers; known are .*version.*app\.addConstraintStrategy/,
    make: (app) => app.get('/', { constraints: { vers: '1.0.0' } }, handler),
  },
  {
    what: 'a property beside `type`',
    todo: /\/name: "name" is no keyword; write a property below "properties"/,
    make: (app) => app.post('/', bodyOf({ type: 'object', name: { type: 'string' } }), handler),
  },
  {
    what: "a body of names and types (`{ name: 'string' }`)",
    todo: /\/name: "name" is no keyword; write a property below "properties"/,
    make: (app) => app.post('/', bodyOf({ name: 'string' }), handler),
  },
  {
    what: '`optional: true` in a property',
    todo: /leave the property out of "required"/,
    make: (app) => app.post('/', bodyOf({ properties: { n: { type: 'integer', optional: true } } }), handler),
  },
  {
    what: '`required: true` in a property',
    todo: /an array of names, in the schema of the object that has them/,
    make: (app) => app.post('/', bodyOf({ properties: { n: { type: 'integer', required: true } } }), handler),
  },
  {
    what: '`min: 3`',
    todo: /write "minimum", "minLength" or "minItems"/,
    make: (app) => app.post('/', bodyOf({ properties: { n: { type: 'integer', min: 3 } } }), handler),
  },
  {
    what: "`type: 'int'`",
    todo: /not "int"; write "integer"/,
    make: (app) => app.post('/', bodyOf({ properties: { n: { type: 'int' } } }), handler),
  },
  {
    what: "`type: 'date'`",
    todo: /write \{ "type": "string", "format": "date" \}/,
    make: (app) => app.post('/', bodyOf({ properties: { at: { type: 'date' } } }), handler),
  },
  {
    what: '`type: String`',
    todo: /not the function String/,
    make: (app) => app.post('/', bodyOf({ properties: { name: { type: String } } }), handler),
  },
  {
    what: "`$ref: '#user'` to a shared schema",
    todo: /did you mean "user#"\?/,
    make: (app) =>
      app.addSchema({ $id: 'user', type: 'object' }).post('/', bodyOf({ $ref: '#user' }), handler),
  },
  {
    what: "`$ref: '#/components/schemas/user'` to a shared schema",
    todo: /did you mean "user#"\?/,
    make: (app) =>
      app
        .addSchema({ $id: 'user', type: 'object' })
        .post('/', bodyOf({ $ref: '#/components/schemas/user' }), handler),
  },
  {
    what: "`listen('http://localhost:3000')`",
    todo: /the URL http:\/\/localhost:3000 is no address; give its port and host .*listen\(\{ port: 3000 \}\)/,
    make: (app) => wrong(app, 'listen', 'http://localhost:3000'),
  },
  {
    what: "`listen({ hostname: '0.0.0.0' })`",
    todo: /'hostname' is not an option; did you mean 'host'\?/,
    make: (app) => wrong(app, 'listen', { port: 0, hostname: '0.0.0.0' }),
  },
  {
    what: "`inject('GET', '/')`",
    todo: /is a callback, got \/ .*app\.inject\(\{ method: 'GET', url: '\/' \}\)/,
    make: (app) => wrong(app, 'inject', 'GET', '/'),
  },
  {
    what: 'the same route twice',
    todo: /Remove one or add a constraint/,
    make: (app) => {
      app.get('/', handler)
      app.get('/', handler)
    },
  },
  {
    what: 'a route after `ready`',
    todo: /before app\.ready\(\)/,
    make: async (app) => {
      await app.ready()
      app.get('/', handler)
    },
  },
  {
    what: 'a hook after `ready`',
    todo: /before app\.ready\(\)/,
    make: async (app) => {
      await app.ready()
      wrong(app, 'addHook', 'onRequest', async () => {})
    },
  },
  {
    what: 'a decorator after `ready`',
    todo: /before app\.ready\(\)/,
    make: async (app) => {
      await app.ready()
      app.decorate('db', 1)
    },
  },
  {
    what: '`onRequset`',
    todo: /did you mean 'onRequest'/,
    make: (app) => wrong(app, 'addHook', 'onRequset', async () => {}),
  },
  {
    what: 'a hook that is not a function',
    todo: /Pass the function itself/,
    make: (app) => wrong(app, 'addHook', 'onRequest', 'authenticate'),
  },
  {
    what: 'an async hook with `done`',
    todo: /Remove the parameter done, or the keyword async/,
    make: (app) =>
      wrong(app, 'addHook', 'onRequest', async (_request: Request, _reply: Reply, done: Done) => done()),
  },
  {
    what: "`app.get('users', …)`",
    todo: /first character of a path should be `\/`/,
    make: (app) => app.get('users', handler),
  },
  {
    what: 'a path that is not a string',
    todo: /Write the path as a string/,
    make: (app) => wrong(app, 'route', { method: 'GET', url: /users/, handler }),
  },
  {
    what: 'a route without a handler',
    todo: /Pass one: app\.get\(path, options, handler\)/,
    make: (app) => wrong(app, 'get', '/'),
  },
  {
    what: '`handler()` instead of `handler`',
    todo: /not its result: handler instead of handler\(\)/,
    make: (app) => wrong(app, 'get', '/', {}, Promise.resolve('ok')),
  },
  {
    what: "`method: 'GETT'`",
    todo: /Write one of app\.supportedMethods/,
    make: (app) => wrong(app, 'route', { method: 'GETT', url: '/', handler }),
  },
  {
    what: '`shema` in a route',
    todo: /did you mean 'schema'/,
    make: (app) => app.get('/', { shema: {} }, handler),
  },
  {
    what: '`querystrng` in a schema',
    todo: /did you mean 'querystring'/,
    make: (app) => app.get('/', { schema: { querystrng: {} } }, handler),
  },
  {
    what: '`bodyLimt` in the options',
    todo: /did you mean 'bodyLimit'/,
    options: { bodyLimt: 5 },
    make: noop,
  },
  { what: "`bodyLimit: '1mb'`", todo: /1024 \* 1024 is 1 MiB/, options: { bodyLimit: '1mb' }, make: noop },
  {
    what: "`type: 'objet'`",
    todo: /must be one of array, boolean/,
    make: (app) => app.post('/', { schema: { body: { type: 'objet' } } }, handler),
  },
  {
    what: '`propertis` in a schema',
    todo: /did you mean "properties"/,
    make: (app) => app.post('/', { schema: { body: { type: 'object', propertis: {} } } }, handler),
  },
  {
    what: 'a `$ref` to a missing schema',
    todo: /add it with addSchema/,
    make: (app) => app.post('/', { schema: { body: { $ref: 'user#' } } }, handler),
  },
  {
    what: 'two schemas with the same `$id`',
    todo: /give the schema added at .* another "\$id"/,
    make: (app) => {
      app.addSchema({ $id: 'user', type: 'string' })
      app.addSchema({ $id: 'user', type: 'number' })
    },
  },
  {
    what: 'a shared schema without `$id`',
    todo: /Write app\.addSchema\(\{ \$id: 'user'/,
    make: (app) => app.addSchema({ type: 'string' }),
  },
  {
    what: 'a body schema for GET',
    todo: /use schema\.querystring, or the method POST/,
    make: (app) => app.get('/', { schema: { body: { type: 'object' } } }, handler),
  },
  {
    what: 'a response schema without a status',
    todo: /as in response: \{ 200: \{ … \} \}/,
    make: (app) => app.get('/', { schema: { response: { type: 'object' } } }, handler),
  },
  {
    what: 'a schema that is a string',
    todo: /must be a schema: an object or a boolean/,
    make: (app) => app.get('/', { schema: { querystring: 'string' } }, handler),
  },
  {
    what: 'the same decorator twice',
    todo: /Choose another name, or register the plugin that adds it once/,
    make: (app) => {
      app.decorate('db', 1)
      app.decorate('db', 2)
    },
  },
  {
    what: '`decorateRequest` with an object',
    todo: /Decorate with null and assign a fresh value/,
    make: (app) => app.decorateRequest('user', {}),
  },
  {
    what: '`register` with an object',
    todo: /Pass the plugin and its options/,
    make: (app) => wrong(app, 'register', {}),
  },
  {
    what: '`register(plugin(app))`',
    todo: /instead of app\.register\(plugin\(app\)\)/,
    make: (app) => wrong(app, 'register', undefined),
  },
  {
    what: 'a plugin that does not call `done`',
    todo: /it has not called 'done'/,
    options: { pluginTimeout: 30 },
    make: (app) => wrong(app, 'register', (_app: App, _options: object, _done: Done) => {}),
  },
  {
    what: 'a plugin without another plugin that it needs',
    todo: /register it before/,
    make: (app) => wrong(app, 'register', withMeta({ name: 'users', dependencies: ['db'] })),
  },
  {
    what: 'a plugin without the decorator that it needs',
    todo: /register the plugin that adds it before/,
    make: (app) => wrong(app, 'register', withMeta({ name: 'users', decorators: { fastify: ['db'] } })),
  },
  {
    what: 'an error handler that is not a function',
    todo: /Pass a function: app\.setErrorHandler/,
    make: (app) => wrong(app, 'setErrorHandler', {}),
  },
  {
    what: 'two error handlers in one context',
    todo: /Set 'allowErrorHandlerOverride: true'|Keep one of them/,
    options: { allowErrorHandlerOverride: false },
    make: (app) => {
      app.setErrorHandler(noop)
      app.setErrorHandler(noop)
    },
  },
  {
    what: 'the same parser twice',
    todo: /remove it first/,
    make: (app) => {
      wrong(app, 'addContentTypeParser', 'a/b', async () => 1)
      wrong(app, 'addContentTypeParser', 'a/b', async () => 1)
    },
  },
  {
    what: "`listen({ port: 'abc' })`",
    todo: /port must be an integer from 0 to 65535/,
    make: (app) => wrong(app, 'listen', { port: 'abc' }),
  },
  {
    what: '`listen` twice',
    todo: /Call app\.listen once/,
    make: async (app) => {
      await app.listen({ port: 0 })
      await app.listen({ port: 0 })
    },
  },
  {
    what: '`listen` after `close`',
    todo: /Create a new app/,
    make: async (app) => {
      await app.close()
      await app.listen({ port: 0 })
    },
  },
]

/** While a request runs. */
export const REQUESTS: readonly Mistake[] = [
  {
    what: '`send` twice',
    todo: /Send once: return reply after reply\.send\(\)/,
    make: (app) =>
      app.get('/', (_request, reply) => {
        reply.send('a')
        reply.send('b')
      }),
    request: get,
  },
  {
    what: 'an async handler that sends, and returns something else',
    todo: /Send once/,
    make: (app) =>
      app.get('/', async (_request, reply) => {
        reply.send('a')
        return 'b'
      }),
    request: get,
  },
  {
    what: 'a handler that never sends',
    todo: /on every path through the handler/,
    options: { handlerTimeout: 30 },
    make: (app) => app.get('/', noop),
    request: get,
  },
  {
    what: 'a payload without a required property',
    todo: /GET \/ .*Send what schema\.response declares/,
    make: (app) => app.get('/', { schema: { response } }, async () => ({ name: 'Ada' })),
    request: get,
  },
  {
    what: 'an object that contains itself',
    todo: /no circular object/,
    make: (app) =>
      app.get('/', async () => {
        const one: Record<string, unknown> = {}
        one['self'] = one
        return one
      }),
    request: get,
  },
  {
    what: 'a BigInt',
    todo: /no BigInt/,
    make: (app) => app.get('/', async () => ({ count: 10n })),
    request: get,
  },
  {
    what: 'an object as text/plain',
    todo: /leave the type out to send an object as JSON/,
    make: (app) =>
      app.get('/', async (_request, reply) => reply.header('content-type', 'text/plain').send({ a: 1 })),
    request: get,
  },
  {
    what: 'a header with a line break',
    todo: /encode it/,
    make: (app) => app.get('/', async (_request, reply) => reply.header('x-name', 'a\nb').send('ok')),
    request: get,
  },
  {
    what: "`reply.code('ok')`",
    todo: /set one with reply\.code\(\)/,
    make: (app) =>
      app.get('/', async (_request, reply) => {
        Reflect.apply(reply.code, reply, ['ok'])
        return 'ok'
      }),
    request: get,
  },
  {
    what: '`getDecorator` with an undeclared name',
    todo: /Declare it before the app is ready/,
    make: (app) =>
      app.get('/', async (request) =>
        Reflect.apply(Object(Reflect.get(request, 'getDecorator')), request, ['user']),
      ),
    request: get,
  },
  {
    what: '`reply.redirect({ url })`',
    todo: /an object in place of a url; call it as redirect\(url\)/,
    make: (app) =>
      app.get('/', async (_request, reply) => Reflect.apply(reply.redirect, reply, [{ url: '/login' }])),
    request: get,
  },
  {
    what: "`reply.header({ 'x-name': 'Ada' })`",
    todo: /call it as header\(name, value\), or headers\(\{ … \}\)/,
    make: (app) =>
      app.get('/', async (_request, reply) => Reflect.apply(reply.header, reply, [{ 'x-name': 'Ada' }])),
    request: get,
  },
  {
    what: "`reply.headers('x-name', 'Ada')`",
    todo: /headers\(\{ … \}\) takes an object; call header\(name, value\)/,
    make: (app) =>
      app.get('/', async (_request, reply) => Reflect.apply(reply.headers, reply, ['x-name', 'Ada'])),
    request: get,
  },
  {
    what: "`reply.header('x-name', { name: 'Ada' })`",
    todo: /an object without a text; write a text, such as JSON\.stringify\(value\)/,
    make: (app) =>
      app.get('/', async (_request, reply) =>
        Reflect.apply(reply.header, reply, ['x-name', { name: 'Ada' }]),
      ),
    request: get,
  },
  {
    what: 'an event of `sse()` from a handler that is no generator',
    todo: /yield it from a generator, and declare content/,
    make: (app) => app.get('/', async () => sse({ data: 1 })),
    request: get,
  },
  {
    what: 'a form without a parser',
    todo: /POST \/ .*@fastify\/multipart and @fastify\/formbody\) or a body schema of the route/,
    make: (app) => app.post('/', handler),
    request: {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'name=Ada',
    },
  },
]
