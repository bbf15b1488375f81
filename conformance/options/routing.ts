import type { ServerResponse } from 'node:http'
import { codeOf, create, headerOf, post, probe, statusOf, textOf } from './probe.ts'
import type { Given, Probes } from './probe.ts'

const NOT_FOUND = 404
const teapot = (response: ServerResponse): void => void response.writeHead(418).end()
const found = (path: string, asked: string) => (given: Given) =>
  statusOf(
    create(given).get(path, () => 'ok'),
    asked,
  )

/** A strategy that selects by the header `x-secret`. */
const SECRET = {
  name: 'secret',
  storage: () => {
    const handlers = new Map<unknown, unknown>()
    return { get: (key: unknown) => handlers.get(key), set: handlers.set.bind(handlers) }
  },
  deriveConstraint: (request: { headers: Record<string, unknown> }) => request.headers['x-secret'],
}

export const routing: Probes = {
  ignoreTrailingSlash: probe(true, NOT_FOUND, 200, found('/a', '/a/')),
  ignoreDuplicateSlashes: probe(true, NOT_FOUND, 200, found('/a', '//a')),
  caseSensitive: probe(false, NOT_FOUND, 200, found('/a', '/A')),
  allowUnsafeRegex: probe(true, 'CLO_ERR_ROUTE_PATH_INVALID', 'none', (given) =>
    codeOf(() => create(given).get('/:id(^(a+)+$)', () => 'ok')),
  ),
  useSemicolonDelimiter: probe(false, 200, NOT_FOUND, found('/a', '/a;x=1')),
  maxParamLength: probe(3, 200, NOT_FOUND, found('/:id', '/abcdef')),
  onMaxParamLength: probe(
    (_path: string, _request: unknown, response: ServerResponse) => teapot(response),
    NOT_FOUND,
    418,
    (given) => found('/:id', '/abcdef')({ maxParamLength: 3, ...given }),
  ),
  onBadUrl: probe(
    (_path: string, _request: unknown, response: ServerResponse) => teapot(response),
    400,
    418,
    found('/', '/%zz'),
  ),
  defaultRoute: probe(
    (_request: unknown, response: ServerResponse) => teapot(response),
    NOT_FOUND,
    418,
    found('/', '/none'),
  ),
  buildPrettyMeta: probe(
    () => ({ colour: 'red' }),
    false,
    true,
    async (given) => {
      const app = create(given).get('/', () => 'ok')
      await app.ready()
      return app.printRoutes({ includeMeta: true }).includes('(colour) "red"')
    },
  ),
  constraints: probe({ secret: SECRET }, 'CLO_ERR_ROUTE_PATH_INVALID', 'none', (given) =>
    codeOf(() => create(given).get('/', { constraints: { secret: 'a' } }, () => 'ok')),
  ),
  querystringParser: probe(
    () => ({ parsed: 'here' }),
    '{"a":"1"}',
    '{"parsed":"here"}',
    (given) =>
      textOf(
        create(given).get('/', (request) => request.query),
        '/?a=1',
      ),
  ),
  exposeHeadRoutes: probe(false, 200, NOT_FOUND, (given) =>
    statusOf(
      create(given).get('/', () => 'ok'),
      { method: 'HEAD', url: '/' },
    ),
  ),
  methodNotAllowed: probe(true, undefined, 'GET, HEAD', (given) =>
    headerOf(
      create(given).get('/', () => 'ok'),
      'allow',
      post({}),
    ),
  ),
  contentNegotiation: probe(true, 200, 406, (given) => {
    const content = { 'application/json': { schema: { type: 'object' } } }
    const app = create(given).get('/', { schema: { response: { 200: { content } } } }, () => ({}))
    return statusOf(app, { url: '/', headers: { accept: 'text/csv' } })
  }),
  unknownRouteOptions: probe('refuse', 'none', 'CLO_ERR_ROUTE_OPTION_UNKNOWN', (given) =>
    codeOf(() => create(given).get('/', { flavour: 'mint' }, () => 'ok')),
  ),
  undefinedHooks: probe('refuse', 'none', 'CLO_ERR_ROUTE_OPTION_INVALID', (given) =>
    codeOf(() => create(given).get('/', Object.fromEntries([['preHandler', undefined]]), () => 'ok')),
  ),
  rewriteUrl: probe(() => '/b', NOT_FOUND, 200, found('/b', '/a')),
}
