// The callbacks on the path of a request.
import { Readable } from 'node:stream'
import type { App } from '../../harness/app-shape.ts'
import type { AnyFunction, Done, Place } from './place.ts'

const asDone = (value: unknown): Done => value as Done

const second =
  (run: (done: Done) => unknown): AnyFunction =>
  (_q, done) =>
    run(asDone(done))
const third =
  (run: (done: Done) => unknown): AnyFunction =>
  (_q, _r, done) =>
    run(asDone(done))
const fourth =
  (run: (done: Done) => unknown): AnyFunction =>
  (_q, _r, _p, done) =>
    run(asDone(done))

/** Plain functions are hooks without `done` only when they take no more arguments. */
const hook =
  (name: string) =>
  (app: App, failing: AnyFunction, handler: () => unknown): void => {
    Reflect.apply(app.addHook, app, [name, failing])
    app.post('/', handler)
  }

const route =
  (make: (failing: AnyFunction) => Record<string, unknown>) =>
  (app: App, failing: AnyFunction, handler: () => unknown): void => {
    Reflect.apply(app.route, app, [{ method: 'POST', url: '/', handler, ...make(failing) }])
  }

const broken = (): never => {
  throw new Error('first')
}

const parser =
  (options: object) =>
  (app: App, failing: AnyFunction, handler: () => unknown): void => {
    app.removeAllContentTypeParsers()
    Reflect.apply(app.addContentTypeParser, app, ['application/json', options, failing])
    app.post('/', handler)
  }

const errorSchema = { '4xx': {}, '5xx': {} }
const ANY = { type: 'object', additionalProperties: true, properties: { message: { type: 'string' } } }
for (const name of ['4xx', '5xx'] as const) errorSchema[name] = ANY

/** Hooks, handlers and error handlers by name. */
export const HOOK_PLACES: Readonly<Record<string, Place>> = {
  onRequest: { define: hook('onRequest'), withDone: third, isBefore: true },
  preParsing: { define: hook('preParsing'), withDone: fourth, isBefore: true },
  preValidation: { define: hook('preValidation'), withDone: third, isBefore: true },
  preHandler: { define: hook('preHandler'), withDone: third, isBefore: true },
  'preHandler of a route': {
    define: route((preHandler) => ({ preHandler: [preHandler] })),
    withDone: third,
    isBefore: true,
  },
  'a second hook': {
    define: (app, failing, handler) => {
      app.addHook('preHandler', async () => {})
      Reflect.apply(app.addHook, app, ['preHandler', failing])
      app.post('/', handler)
    },
    withDone: third,
    isBefore: true,
  },
  'a second hook, after one that calls back later': {
    define: (app, failing, handler) => {
      app.addHook('preHandler', (_request, _reply, done) => void setImmediate(done))
      Reflect.apply(app.addHook, app, ['preHandler', failing])
      app.post('/', handler)
    },
    withDone: third,
    isBefore: true,
  },
  preSerialization: { define: hook('preSerialization'), withDone: fourth },
  onSend: { define: hook('onSend'), withDone: fourth },
  'onSend, of a response to an error': {
    define: (app, failing) => {
      Reflect.apply(app.addHook, app, ['onSend', failing])
      app.post('/', broken)
    },
    withDone: fourth,
  },
  onResponse: { define: hook('onResponse'), withDone: third, survives: true },
  onRequestAbort: {
    define: (app, failing, handler) => {
      Reflect.apply(app.addHook, app, ['onRequestAbort', failing])
      app.post('/', () => {
        handler()
        return new Promise(() => {})
      })
    },
    withDone: second,
    only: ['socket', 'wire'],
    abandonedBy: 'the client',
    survives: true,
  },
  onTimeout: {
    define: (app, failing, handler) => {
      Reflect.apply(app.addHook, app, ['onTimeout', failing])
      app.post('/', () => {
        handler()
        return new Promise(() => {})
      })
    },
    options: () => ({ connectionTimeout: 50 }),
    withDone: third,
    only: ['socket', 'wire'],
    abandonedBy: 'the app',
    survives: true,
  },
  onError: {
    define: (app, failing) => {
      Reflect.apply(app.addHook, app, ['onError', failing])
      app.post('/', broken)
    },
    withDone: fourth,
  },
  'a handler': { define: (app, failing) => void app.post('/', failing), responds: true },
  'a handler that has sent': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) => {
        reply.send('sent')
        return failing()
      }),
    survives: true,
  },
  'a handler that has sent a stream': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) => {
        reply.send(Readable.from(['one', 'two']))
        return failing()
      }),
    survives: true,
  },
  'a callback of early hints': {
    define: (app, failing, handler) =>
      void app.post('/', (_request, reply) => {
        reply.writeEarlyHints({ link: '</a>; rel=preload' }, failing)
        return new Promise((resolve) => setImmediate(() => resolve(handler())))
      }),
    only: ['socket', 'wire'],
    survives: true,
  },
  'a handler whose schema has errors': {
    define: (app, failing) => void app.post('/', { schema: { response: errorSchema } }, failing),
    responds: true,
  },
  'an error handler': {
    define: (app, failing) => {
      app.setErrorHandler(failing)
      app.post('/', broken)
    },
  },
  'an error handler of a route': { define: route((errorHandler) => ({ handler: broken, errorHandler })) },
  'two error handlers': {
    define: (app, failing) => {
      app.setErrorHandler(failing)
      app.register(async (child) => {
        child.setErrorHandler(failing)
        child.post('/', broken)
      })
    },
  },
  'a handler behind an error handler that sends the error': {
    define: (app, failing) => {
      app.setErrorHandler((error, _request, reply) => reply.send(error))
      app.post('/', failing)
    },
    responds: true,
    mayPass: true,
    isUnlogged: true,
  },
  'a handler behind an error handler that throws the error': {
    define: (app, failing) => {
      app.setErrorHandler(async (error) => {
        throw error
      })
      app.post('/', failing)
    },
    responds: true,
  },
  'a not-found handler': {
    define: (app, failing) => void app.setNotFoundHandler(failing),
    request: { path: '/nowhere' },
    responds: true,
  },
  'a hook of a not-found handler': {
    define: (app, preHandler) =>
      void Reflect.apply(app.setNotFoundHandler, app, [{ preHandler }, () => 'nothing here']),
    request: { path: '/nowhere' },
    withDone: third,
  },
}

/** What reads a body, validates and serializes, by name. */
export const BODY_PLACES: Readonly<Record<string, Place>> = {
  'a parser': { define: parser({}), withDone: third, isBefore: true },
  'a parser of texts': { define: parser({ parseAs: 'string' }), withDone: third, isBefore: true },
  'a stream of preParsing': {
    define: (app, failing, handler) => {
      Reflect.apply(app.addHook, app, ['preParsing', async () => Readable.from(yields(failing))])
      app.post('/', handler)
    },
    isBefore: true,
  },
  'a validator': {
    define: route((failing) => ({ schema: { body: {} }, validatorCompiler: () => failing })),
    isBefore: true,
  },
  'a validator of a route that attaches': {
    define: route((failing) => ({
      attachValidation: true,
      schema: { body: {} },
      validatorCompiler: () => failing,
    })),
    mayPass: true,
    isUnlogged: true,
  },
  'the error of a validator': {
    isGetter: true,
    define: route((failing) => ({
      schema: { body: {} },
      validatorCompiler: () => () => Object.defineProperty({}, 'error', { get: failing, enumerable: true }),
    })),
  },
  'the errors of a validator': {
    isGetter: true,
    define: route((failing) => ({
      schema: { body: {} },
      validatorCompiler: () => Object.defineProperty(() => false, 'errors', { get: failing }),
    })),
    isBefore: true,
  },
  'a formatter of validation errors': {
    define: route((failing) => ({
      schema: { body: { type: 'array' } },
      schemaErrorFormatter: () => failing(),
    })),
    isBefore: true,
  },
  'a library of schemas': {
    define: route((validate) => ({
      schema: { body: { '~standard': { version: 1, vendor: 'odd', validate } } },
    })),
  },
  'a keyword': {
    define: route((validate) => ({ schema: { body: { type: 'object', odd: true } }, validate })),
    options: (validate) => ({
      ajv: { customOptions: { keywords: [{ keyword: 'odd', validate, errors: false }] } },
    }),
  },
  validationMessages: {
    define: route(() => ({ schema: { body: { type: 'array' } } })),
    options: (validationMessages) => ({ validationMessages }),
    isBefore: true,
  },
  'a serializer of a route': {
    define: route((failing) => ({
      schema: { response: { 200: { type: 'object' } } },
      serializerCompiler: () => failing,
    })),
  },
  'a serializer of a context': {
    define: (app, failing, handler) => {
      app.setReplySerializer(failing as never)
      app.post('/', handler)
    },
  },
  'a serializer of a reply': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) => reply.serializer(failing as never).send({ a: 1 })),
  },
  'a serializer of a text': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) =>
        reply
          .type('text/x')
          .serializer(failing as never)
          .send('text'),
      ),
  },
  toJSON: { define: (app, toJSON) => void app.post('/', () => ({ toJSON })) },
  'toJSON within': { define: (app, toJSON) => void app.post('/', () => ({ one: [{ toJSON }] })) },
  'a getter of a payload': {
    isGetter: true,
    define: (app, get) =>
      void app.post('/', () => Object.defineProperty({}, 'one', { get, enumerable: true })),
  },
  'a getter of a payload with a schema': {
    isGetter: true,
    define: (app, get) =>
      void app.post('/', { schema: { response: { 200: { type: 'object', properties: { one: {} } } } } }, () =>
        Object.defineProperty({}, 'one', { get, enumerable: true }),
      ),
  },
  'a stream': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) => reply.type('text/plain').send(Readable.from(yields(failing)))),
  },
  'a web stream': {
    define: (app, pull) =>
      void app.post('/', (_request, reply) =>
        reply.type('text/plain').send(new ReadableStream({ pull: once(pull) })),
      ),
  },
  'toJSON with a schema': {
    define: (app, toJSON) =>
      void app.post(
        '/',
        { schema: { response: { 200: { type: 'object', properties: { one: {} } } } } },
        () => ({
          one: [{ toJSON }],
        }),
      ),
  },
  'a trailer': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) => reply.trailer('x-odd', failing).send('text')),
    withDone: third,
    survives: true,
    responds: true,
    only: ['in-process', 'socket', 'wire', 'http2', 'memory'],
  },
  'a trailer of a stream': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) => reply.trailer('x-odd', failing).send(Readable.from(['text']))),
    survives: true,
    responds: true,
    only: ['in-process', 'socket', 'wire', 'http2', 'memory'],
  },
}

/** Yields one piece, from a function that fails. */
async function* yields(failing: AnyFunction): AsyncGenerator<unknown, void> {
  yield await failing()
}

/** What a web stream pulls from: it ends when it has not failed. */
function once(pull: AnyFunction): (controller: ReadableStreamDefaultController<unknown>) => Promise<void> {
  return async (controller) => {
    controller.enqueue(await pull())
    controller.close()
  }
}
