import type { Log, Reply } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { LogController } from 'cloister'
import { codeOf, create, headerOf, memberOf, probe, statusOf, textOf } from './probe.ts'
import type { Given, Probes } from './probe.ts'

const fails = (given: Given) =>
  create(given).get('/', () => {
    throw new Error('a secret')
  })

const nothing = (): void => undefined
const OWN_LOGGER = {
  level: 'info',
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((name) => [name, nothing]),
  ),
  child: (): unknown => OWN_LOGGER,
}

/** Sends a request to an app with a logger, and returns the lines of its log. */
async function lines(given: Given): Promise<Readonly<Record<string, unknown>>[]> {
  const { stream, lines: written } = createLogSink()
  const app = create({ logger: { stream, level: 'info' }, ...given })
  app.get('/', (request) => {
    request.log.info('mine')
    return 'ok'
  })
  await statusOf(app)
  return written
}

class Quiet extends LogController {
  override incomingRequest(): void {}
}

export const errors: Probes = {
  frameworkErrors: probe(
    (_error: unknown, _request: unknown, reply: Reply) => reply.code(418).send('mine'),
    400,
    418,
    (given) => statusOf(create(given).get('/:id', nothing), '/%zz'),
  ),
  exposeErrors: probe(false, 'a secret', 'Internal Server Error', (given) =>
    memberOf(fails(given), 'message'),
  ),
  cacheErrors: probe(false, 'max-age=60', 'no-store', (given) => {
    const app = create(given).get('/', (_request, reply) => {
      reply.header('cache-control', 'max-age=60')
      throw new Error('a secret')
    })
    return headerOf(app, 'cache-control')
  }),
  problemDetails: probe(
    true,
    'application/json',
    'application/problem+json',
    async (given) => String(await headerOf(fails(given), 'content-type')).split(';')[0],
  ),
  problemTypeBase: probe(
    'https://e.example/',
    'about:blank',
    'https://e.example/CLO_ERR_NOT_FOUND',
    (given) => memberOf(create({ problemDetails: true, ...given }), 'type', '/none'),
  ),
  errorCodePrefix: probe('FST_ERR_', 'CLO_ERR_CTP_EMPTY_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY', (given) =>
    memberOf(
      create(given).post('/', () => 'ok'),
      'code',
      { method: 'POST', url: '/', headers: { 'content-type': 'application/json' } },
    ),
  ),
  rootPluginName: probe('top', 'root', 'top', (given) => create(given).pluginName),
  allowErrorHandlerOverride: probe(false, 'none', 'CLO_ERR_ERROR_HANDLER_ALREADY_SET', (given) =>
    codeOf(() => {
      create(given).setErrorHandler(nothing).setErrorHandler(nothing)
    }),
  ),
}

export const logging: Probes = {
  logger: probe({ level: 'warn' }, undefined, 'warn', (given) => create(given).log.level),
  loggerInstance: probe(OWN_LOGGER, false, true, (given) => create(given).log === (OWN_LOGGER as unknown)),
  disableRequestLogging: probe(true, 3, 1, async (given) => (await lines(given)).length),
  logController: probe(new Quiet(), 3, 2, async (given) => (await lines(given)).length),
  childLoggerFactory: probe(
    (logger: Log, bindings: Record<string, unknown>) => logger.child({ ...bindings, made: 'here' }),
    undefined,
    'here',
    async (given) => (await lines(given)).find(({ msg }) => msg === 'mine')?.['made'],
  ),
  requestIdHeader: probe('x-id', 'req-1', 'theirs', (given) =>
    textOf(
      create(given).get('/', ({ id }) => String(id)),
      { url: '/', headers: { 'x-id': 'theirs' } },
    ),
  ),
  requestIdLogLabel: probe('rid', undefined, 'req-1', async (given) => (await lines(given))[0]?.['rid']),
  genReqId: probe(
    () => 'mine',
    'req-1',
    'mine',
    (given) => textOf(create(given).get('/', ({ id }) => String(id))),
  ),
}
