// The callbacks that an application gives for a request: how each is put in place, and what it owes.
import { Readable } from 'node:stream'
import { LogController } from 'cloister'
import type { App } from '../harness/app-shape.ts'
import type { SendRequest } from '../harness/send.ts'

/** A callback as the matrix makes it. */
export type AnyFunction = (...args: unknown[]) => unknown

/** A place where a callback can fail. */
export interface Place {
  /** puts the callback in place and defines the route */
  readonly define: (app: App, failing: AnyFunction, handler: () => unknown) => void
  /** options of the app that hold the callback */
  readonly options?: (failing: AnyFunction) => Record<string, unknown>
  /** the form with `done` as last argument, where there is one */
  readonly done?: (value: () => unknown) => AnyFunction
  /** the request, where POST with a JSON object is not it */
  readonly request?: SendRequest
  /** values that Node itself cannot take there: it reads them, and what that throws gets lost */
  readonly except?: readonly string[]
  /** the handler must not run when it fails */
  readonly isBefore?: boolean
  /** the request is answered as if it had not failed */
  readonly survives?: boolean
  /** nothing reads what it returns, so a promise is not looked at */
  readonly isSync?: boolean
  /** bytes that are sent before the request, over a connection of their own; the place needs a socket */
  readonly bytesBefore?: string
}

const callBack = (done: unknown, value: unknown): void => {
  Reflect.apply(Object(done), undefined, [value])
}
const doneThird =
  (value: () => unknown): AnyFunction =>
  (_q, _r, done) =>
    callBack(done, value())
const doneFourth =
  (value: () => unknown): AnyFunction =>
  (_q, _r, _p, done) =>
    callBack(done, value())

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

const onlyRoute = (app: App, _failing: AnyFunction, handler: () => unknown): void =>
  void app.post('/', handler)

const broken = (): never => {
  throw new Error('first')
}

const reading = (app: App, read: (request: Record<string, unknown>) => unknown): void =>
  void app.post('/', (request) => ({ read: String(read(Object(request))) }))

/** A controller each of whose methods fails. */
function failingController(failing: AnyFunction): object {
  const logController = new LogController()
  for (const name of [
    'isLogDisabled',
    'incomingRequest',
    'requestCompleted',
    'defaultErrorLog',
    'routeNotFound',
  ])
    Reflect.set(logController, name, failing)
  return logController
}

/** A logger each of whose functions fails. */
function failingLogger(failing: AnyFunction): object {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
  const logger: Record<string, unknown> = Object.fromEntries(levels.map((level) => [level, failing]))
  logger['child'] = () => logger
  return logger
}

const constraint = (deriveConstraint: AnyFunction): Record<string, unknown> => ({
  constraints: {
    tenant: {
      name: 'tenant',
      validate: () => true,
      storage: () => ({ get: () => null, set: () => {} }),
      deriveConstraint,
    },
  },
})

const constrained = (app: App, _failing: AnyFunction, handler: () => unknown): void =>
  void app.route({ method: 'POST', url: '/', constraints: { tenant: 'a' }, handler })

/** Callbacks by name. */
export const CALLBACKS: Readonly<Record<string, Place>> = {
  onRequest: { define: hook('onRequest'), done: doneThird, isBefore: true },
  preParsing: { define: hook('preParsing'), done: doneFourth, isBefore: true },
  preValidation: { define: hook('preValidation'), done: doneThird, isBefore: true },
  preHandler: { define: hook('preHandler'), done: doneThird, isBefore: true },
  preSerialization: { define: hook('preSerialization'), done: doneFourth },
  onSend: { define: hook('onSend'), done: doneFourth },
  onResponse: { define: hook('onResponse'), done: doneThird, survives: true },
  onError: {
    define: (app, failing) => {
      app.addHook('onError', failing)
      app.post('/', broken)
    },
  },
  'a handler': { define: (app, failing) => void app.post('/', failing) },
  'an error handler': {
    define: (app, failing) => {
      app.setErrorHandler(failing)
      app.post('/', broken)
    },
  },
  'two error handlers': {
    define: (app, failing) => {
      app.setErrorHandler(failing)
      app.register(async (child) => {
        child.setErrorHandler(failing)
        child.post('/', broken)
      })
    },
  },
  'a not-found handler': {
    define: (app, failing) => void app.setNotFoundHandler(failing),
    request: { path: '/nowhere' },
  },
  'a parser': {
    define: (app, failing, handler) => {
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('application/json', failing)
      app.post('/', handler)
    },
    done: doneThird,
    isBefore: true,
  },
  'a parser of texts': {
    define: (app, failing, handler) => {
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('application/json', { parseAs: 'string' }, failing)
      app.post('/', handler)
    },
    done: doneThird,
    isBefore: true,
  },
  'a validator': {
    define: route((failing) => ({ schema: { body: {} }, validatorCompiler: () => failing })),
    isBefore: true,
  },
  'a formatter of validation errors': {
    define: route((failing) => ({
      schema: { body: { type: 'array' } },
      schemaErrorFormatter: (...args: unknown[]) => failing(...args),
    })),
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
  'a stream': {
    except: ['a revoked Proxy', 'a trapping Proxy', 'an Error with getters that throw'],
    define: (app, failing) =>
      void app.post('/', (_request, reply) =>
        reply.type('text/plain').send(
          Readable.from(
            // oxlint-disable-next-line require-yield -- it fails before its first piece
            (async function* () {
              await failing()
            })(),
          ),
        ),
      ),
  },
  'a trailer': {
    define: (app, failing) =>
      void app.post('/', (_request, reply) => reply.trailer('x-odd', failing).send('text')),
    survives: true,
  },
  genReqId: {
    define: (app) => reading(app, ({ id }) => id),
    options: (genReqId) => ({ genReqId }),
    survives: true,
  },
  disableRequestLogging: {
    define: onlyRoute,
    options: (disableRequestLogging) => ({ disableRequestLogging }),
    survives: true,
  },
  'a log controller': {
    define: onlyRoute,
    options: (failing) => ({ logController: failingController(failing) }),
    survives: true,
  },
  'a logger': {
    define: onlyRoute,
    options: (failing) => ({ logger: undefined, loggerInstance: failingLogger(failing) }),
    survives: true,
    isSync: true,
  },
  'a logger, of a request that fails': {
    define: (app) => void app.post('/', broken),
    options: (failing) => ({ logger: undefined, loggerInstance: failingLogger(failing) }),
    isSync: true,
  },
  clientErrorHandler: {
    define: onlyRoute,
    options: (clientErrorHandler) => ({ clientErrorHandler }),
    bytesBefore: 'NOT HTTP\r\n\r\n',
    survives: true,
  },
  'a constraint': { define: constrained, options: constraint, isBefore: true },
  'an asynchronous constraint': {
    define: constrained,
    options: (failing) => constraint((raw, context, done) => failing(raw, context, done)),
    done: doneThird,
    isBefore: true,
  },
  rewriteUrl: { define: onlyRoute, options: (rewriteUrl) => ({ rewriteUrl }), isBefore: true },
  querystringParser: {
    define: (app) => reading(app, ({ query }) => query),
    options: (querystringParser) => ({ querystringParser }),
  },
  trustProxy: {
    define: (app) => reading(app, ({ protocol }) => protocol),
    options: (trustProxy) => ({ trustProxy }),
  },
  childLoggerFactory: {
    define: (app) => void app.post('/', (request) => ({ level: request.log.level })),
    options: (childLoggerFactory) => ({ childLoggerFactory }),
  },
  frameworkErrors: {
    define: onlyRoute,
    options: (frameworkErrors) => ({ frameworkErrors }),
    request: { path: '/%world' },
  },
  onBadUrl: { define: onlyRoute, options: (onBadUrl) => ({ onBadUrl }), request: { path: '/%world' } },
  onMaxParamLength: {
    define: (app, _failing, handler) => void app.get('/:long', handler),
    options: (onMaxParamLength) => ({ onMaxParamLength, maxParamLength: 2 }),
    request: { path: '/longer' },
    isBefore: true,
  },
  'the default route': {
    define: onlyRoute,
    options: (defaultRoute) => ({ routerOptions: { defaultRoute } }),
    request: { path: '/nowhere' },
  },
}
