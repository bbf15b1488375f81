import type { Log, Reply, RouteOptions } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { create, memberOf, object, post, probe, statusOf, textOf } from './probe.ts'
import type { Given, Probes } from './probe.ts'

const PAGE = object({ page: { type: 'integer' } })
const INVALID = '/?page=x'
const IN_QUERY = 'querystring/page must be integer'

const ok = (): string => 'ok'

/** An app with one route, which has the option. */
const route = (given: Given, others: RouteOptions = {}): ReturnType<typeof create> =>
  create().route({ method: 'GET', url: '/', handler: ok, ...others, ...given })

/** A route whose log has the line of its handler. */
async function lines(given: Given): Promise<Readonly<Record<string, unknown>>[]> {
  const { stream, lines: written } = createLogSink()
  const app = create({ logger: { stream, level: 'info' }, disableRequestLogging: true })
  app.get('/', given, (request) => {
    request.log.info({ user: 'ada' }, 'mine')
    return 'ok'
  })
  await statusOf(app)
  return written
}

export const routes: Probes = {
  method: probe('PUT', 404, 200, (_app, given) => statusOf(route(given), { method: 'PUT', url: '/' })),
  url: probe('/a', 404, 200, (_app, given) => statusOf(route(given), '/a')),
  path: probe('/a', 404, 200, (_app, given) =>
    statusOf(
      create().route({ method: 'GET', handler: ok, ...('path' in given ? given : { url: '/' }) }),
      '/a',
    ),
  ),
  handler: probe(
    () => 'mine',
    'ok',
    'mine',
    (_app, given) => textOf(route(given)),
  ),
  schema: probe({ querystring: PAGE }, 200, 400, (_app, given) => statusOf(route(given), INVALID)),
  attachValidation: probe(true, 400, 200, (_app, given) =>
    statusOf(route(given, { schema: { querystring: PAGE } }), INVALID),
  ),
  rawBody: probe(true, 'undefined', '{"a":1}', (_app, given) =>
    textOf(route(given, { method: 'POST', handler: ({ rawBody }) => String(rawBody) }), post('{"a":1}')),
  ),
  upgrade: probe(
    {
      protocol: 'echo',
      take: (_upgrade: unknown, _request: unknown, reply: Reply) => reply.code(418).send(),
    },
    200,
    418,
    async (_app, given) => {
      const asking = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n'
      return (await rawSocket(route(given), asking, { until: '\r\n\r\n' })).status
    },
  ),
  validatorCompiler: probe(
    () => () => ({ error: new Error('refused by mine') }),
    IN_QUERY,
    'refused by mine',
    (_app, given) => memberOf(route(given, { schema: { querystring: PAGE } }), 'message', INVALID),
  ),
  serializerCompiler: probe(
    () => () => '{"mine":true}',
    '{"page":1}',
    '{"mine":true}',
    (_app, given) =>
      textOf(route(given, { schema: { response: { 200: PAGE } }, handler: () => ({ page: 1 }) })),
  ),
  serialization: probe('strict', 200, 500, (_app, given) =>
    statusOf(route(given, { schema: { response: { 200: PAGE } }, handler: () => ({ page: 1.5 }) })),
  ),
  schemaErrorFormatter: probe(
    () => new Error('formatted'),
    IN_QUERY,
    'formatted',
    (_app, given) => memberOf(route(given, { schema: { querystring: PAGE } }), 'message', INVALID),
  ),
  errorHandler: probe(
    () => 'handled',
    500,
    200,
    async (_app, given) => {
      const handler = (): never => {
        throw new Error('fails')
      }
      const app = route(given, { handler })
      return statusOf(app)
    },
  ),
  exposeHeadRoute: probe(false, 200, 404, (_app, given) =>
    statusOf(route(given), { method: 'HEAD', url: '/' }),
  ),
  prefixTrailingSlash: probe('no-slash', 200, 404, (_app, given) =>
    statusOf(
      create().register(async (child) => void child.get('/', given, ok), { prefix: '/a' }),
      '/a/',
    ),
  ),
  constraints: probe({ host: 'a.example' }, 200, 404, (_app, given) => statusOf(route(given))),
  version: probe('1.0.0', 200, 404, (_app, given) => statusOf(route(given))),
  logLevel: probe('warn', 1, 0, async (_app, given) => (await lines(given)).length),
  logSerializers: probe(
    { user: () => 'hidden' },
    'ada',
    'hidden',
    async (_app, given) => (await lines(given))[0]?.['user'],
  ),
  childLoggerFactory: probe(
    (logger: Log, bindings: Record<string, unknown>) => logger.child({ ...bindings, made: 'here' }),
    undefined,
    'here',
    async (_app, given) => (await lines(given))[0]?.['made'],
  ),
  config: probe({ colour: 'red' }, undefined, 'red', async (_app, given) =>
    memberOf(
      route(given, { handler: ({ routeOptions }) => ({ colour: routeOptions.config['colour'] }) }),
      'colour',
    ),
  ),
}
