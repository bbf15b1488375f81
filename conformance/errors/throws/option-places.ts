// The callbacks that an app gets as options, its logger and its log.
import { bearerAuth } from '@cloister/bearer-auth'
import { LogController } from 'cloister'
import { observeStages } from 'cloister/inspect'
import type { App } from '../../harness/app-shape.ts'
import type { AnyFunction, Done, Place } from './place.ts'

const third =
  (run: (done: Done) => unknown): AnyFunction =>
  (_q, _r, done) =>
    run(done as Done)

const onlyRoute = (app: App, _failing: AnyFunction, handler: () => unknown): void =>
  void app.post('/', handler)

const anyRoute = (app: App, _failing: AnyFunction, handler: () => unknown): void =>
  void app.get('/:any', handler)

const broken = (): never => {
  throw new Error('first')
}

const fails = (app: App): void => void app.post('/', broken)

const reading = (app: App, read: (request: Record<string, unknown>) => unknown): void =>
  void app.post('/', (request) => ({ read: String(read(Object(request))) }))

const AUTHORIZED = { method: 'POST', path: '/', body: {}, headers: { authorization: 'Bearer token' } }

const CONTROLLED = [
  'isLogDisabled',
  'incomingRequest',
  'requestCompleted',
  'defaultErrorLog',
  'streamError',
  'routeNotFound',
  'writeHeadError',
  'serializerError',
]

/** A controller each of whose methods fails. */
function failingController(failing: AnyFunction): object {
  const logController = new LogController()
  for (const name of CONTROLLED) Reflect.set(logController, name, failing)
  return logController
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** A logger each of whose functions fails. */
function failingLogger(failing: AnyFunction): object {
  const logger: Record<string, unknown> = Object.fromEntries(LEVELS.map((level) => [level, failing]))
  logger['child'] = () => logger
  return logger
}

/** A logger whose children cannot be made, but for the first. */
function childlessLogger(failing: AnyFunction): object {
  const logger: Record<string, unknown> = Object.fromEntries(LEVELS.map((level) => [level, () => {}]))
  let children = 0
  logger['child'] = () => (children++ === 0 ? logger : failing())
  return logger
}

const withLogger = (logger: object): Record<string, unknown> => ({
  logger: undefined,
  loggerInstance: logger,
})

const constraint = (
  deriveConstraint: AnyFunction,
  get: AnyFunction = () => null,
): Record<string, unknown> => ({
  constraints: {
    tenant: {
      name: 'tenant',
      validate: () => true,
      storage: () => ({ get, set: () => {} }),
      deriveConstraint,
    },
  },
})

const constrained = (app: App, _failing: AnyFunction, handler: () => unknown): void =>
  void app.route({ method: 'POST', url: '/', constraints: { tenant: 'a' }, handler })

/** What logs, by name. */
export const LOG_PLACES: Readonly<Record<string, Place>> = {
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
  'a log controller, of a request that fails': {
    define: fails,
    options: (failing) => ({ logController: failingController(failing) }),
  },
  'a logger': {
    define: onlyRoute,
    options: (failing) => withLogger(failingLogger(failing)),
    survives: true,
    isUnlogged: true,
  },
  'a logger, of a request that fails': {
    define: fails,
    options: (failing) => withLogger(failingLogger(failing)),
    isUnlogged: true,
  },
  'a logger, of a hook that fails late': {
    define: (app, _failing, handler) => {
      app.addHook('onRequest', (_request, _reply, done) => {
        done()
        throw new Error('late')
      })
      app.post('/', handler)
    },
    options: (failing) => withLogger(failingLogger(failing)),
    survives: true,
    isUnlogged: true,
  },
  'a logger without children': {
    define: onlyRoute,
    options: (failing) => withLogger(childlessLogger(failing)),
    survives: true,
    isUnlogged: true,
  },
  'a serializer of errors in the log': {
    define: fails,
    options: (err) => ({ logger: { stream: { write: () => {} }, serializers: { err } } }),
    isUnlogged: true,
  },
  'a serializer of requests in the log': {
    define: onlyRoute,
    options: (failing) => ({
      logger: { stream: { write: () => {} }, serializers: { req: failing, res: failing } },
    }),
    survives: true,
    isUnlogged: true,
  },
  'a serializer of a route in the log': {
    define: (app, err) =>
      void app.post('/', { logSerializers: { err } }, () => {
        throw new Error('first')
      }),
    isUnlogged: true,
  },
  'a mixin of the log': {
    isGetter: true,
    define: onlyRoute,
    options: (mixin) => ({ logger: { stream: { write: () => {} }, mixin } }),
    survives: true,
    isUnlogged: true,
  },
  'a destination of the log': {
    define: fails,
    options: (write) => ({ logger: { stream: { write } } }),
    isUnlogged: true,
  },
  childLoggerFactory: {
    define: (app) => void app.post('/', (request) => ({ level: request.log.level })),
    options: (childLoggerFactory) => ({ childLoggerFactory }),
    isUnlogged: true,
  },
}

/** Options about requests, by name. */
export const OPTION_PLACES: Readonly<Record<string, Place>> = {
  genReqId: {
    define: (app) => reading(app, ({ id }) => id),
    options: (genReqId) => ({ genReqId }),
    survives: true,
  },
  'a getter of a decorator': {
    isGetter: true,
    define: (app, getter) => {
      Reflect.apply(app.decorateRequest, app, ['odd', { getter }])
      reading(app, ({ odd }) => odd)
    },
  },
  'a getter of a decorator of replies': {
    isGetter: true,
    define: (app, getter) => {
      Reflect.apply(app.decorateReply, app, ['odd', { getter }])
      app.post('/', (_request, reply) => ({ odd: String(reply['odd']) }))
    },
  },
  'a constraint': { define: constrained, options: constraint, isBefore: true },
  'a store of constraints': {
    isGetter: true,
    define: constrained,
    options: (get) => constraint(() => 'a', get),
  },
  'an asynchronous constraint': {
    define: constrained,
    options: (failing) => constraint((raw, context, done) => failing(raw, context, done)),
    withDone: third,
    isBefore: true,
    isRaw: true,
  },
  'the auth function of a plugin': {
    define: (app, auth, handler) => {
      app.register(bearerAuth, { auth })
      app.after(() => void app.post('/', handler))
    },
    request: AUTHORIZED,
    isBefore: true,
  },
  'the error function of a plugin': {
    define: (app, errorResponse, handler) => {
      app.register(bearerAuth, { keys: ['key'], errorResponse })
      app.after(() => void app.post('/', handler))
    },
    isBefore: true,
    isUnlogged: true,
  },
  'an observer of stages': {
    define: (app, observe, handler) => {
      Reflect.apply(observeStages, undefined, [app, observe])
      app.post('/', handler)
    },
    isGetter: true,
  },
  rewriteUrl: { define: onlyRoute, options: (rewriteUrl) => ({ rewriteUrl }), isBefore: true },
  querystringParser: {
    define: (app) => reading(app, ({ query }) => query),
    options: (querystringParser) => ({ querystringParser }),
  },
  trustProxy: {
    define: (app) => reading(app, ({ protocol, ip, host }) => [protocol, ip, host]),
    options: (trustProxy) => ({ trustProxy }),
  },
  clientErrorHandler: {
    define: onlyRoute,
    options: (clientErrorHandler) => ({ clientErrorHandler }),
    bytesBefore: 'NOT HTTP\r\n\r\n',
    only: ['socket', 'wire'],
    survives: true,
    isRaw: true,
  },
  frameworkErrors: {
    define: anyRoute,
    options: (frameworkErrors) => ({ frameworkErrors }),
    request: { path: '/%world' },
    responds: true,
  },
  onBadUrl: {
    define: anyRoute,
    options: (onBadUrl) => ({ onBadUrl }),
    request: { path: '/%world' },
    isRaw: true,
  },
  onMaxParamLength: {
    define: (app, _failing, handler) => void app.get('/:long', handler),
    options: (onMaxParamLength) => ({ onMaxParamLength, maxParamLength: 2 }),
    request: { path: '/longer' },
    isBefore: true,
    isRaw: true,
  },
  'the default route': {
    define: onlyRoute,
    options: (defaultRoute) => ({ routerOptions: { defaultRoute } }),
    request: { path: '/nowhere' },
    isRaw: true,
  },
}
