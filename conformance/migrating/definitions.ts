// What an application may write, where the lines of the peer and Cloister are not of one mind.
import { callMember } from '../call-member.ts'
import { peers } from '../outcome-case.ts'
import type { OutcomeCase } from '../outcome-case.ts'
import { respond, taken } from './ask.ts'

const silent = (): void => {}
const logger = {
  info: silent,
  error: silent,
  debug: silent,
  fatal: silent,
  warn: silent,
  trace: silent,
  child: () => logger,
}

/** Options, plugins, decorators, routes. */
export const definitionCases: readonly OutcomeCase[] = [
  {
    number: '16',
    asks: 'a misspelt option of the app (`bodyLimmit`)',
    probe: (createApp) => taken(() => createApp({ bodyLimmit: 1 })),
    outcome: { ...peers('taken'), cloister: 'refused, CLO_ERR_INIT_OPTS_INVALID' },
  },
  {
    number: '17',
    asks: 'a misspelt option of a route (`schemas`)',
    probe: (createApp) => taken(() => createApp().get('/', { schemas: {}, handler: () => '' })),
    outcome: { ...peers('taken'), cloister: 'refused, CLO_ERR_ROUTE_OPTION_UNKNOWN' },
  },
  {
    number: '18',
    asks: '`decorateRequest` with an object',
    probe: (createApp) => taken(() => createApp().decorateRequest('user', { name: '' })),
    outcome: {
      fastify4: 'taken',
      fastify5: 'refused, FST_ERR_DEC_REFERENCE_TYPE',
      cloister: 'refused, CLO_ERR_DEC_REFERENCE_TYPE',
    },
  },
  {
    number: '19',
    asks: 'an `async` plugin that also takes `done`',
    probe: (createApp) =>
      taken(() => {
        const app = createApp()
        app.register(async (_app, _options, done) => done())
        return app.ready()
      }),
    outcome: {
      fastify4: 'taken',
      fastify5: 'refused, FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER',
      cloister: 'taken',
    },
  },
  {
    number: '20',
    asks: 'a query schema in the short form, without `type` and `properties`',
    probe: (createApp) => {
      const schema = { querystring: { page: { type: 'integer' } } }
      return taken(() =>
        createApp()
          .get('/', { schema, handler: () => '' })
          .ready(),
      )
    },
    outcome: { fastify4: 'taken', fastify5: 'refused, FST_ERR_SCH_VALIDATION_BUILD', cloister: 'taken' },
  },
  {
    number: '21',
    asks: 'a logger of your own as `logger`',
    probe: (createApp) => taken(() => createApp({ logger })),
    outcome: { fastify4: 'taken', fastify5: 'refused, FST_ERR_LOG_INVALID_LOGGER_CONFIG', cloister: 'taken' },
  },
  {
    number: '22',
    asks: '`loggerInstance`',
    probe: async (createApp) => {
      let lines = 0
      const counting = { ...logger, info: () => lines++, child: () => counting }
      const app = createApp({ loggerInstance: counting })
      await respond(app, () => '')
      return lines > 0 ? 'used' : 'ignored'
    },
    outcome: { fastify4: 'ignored', fastify5: 'used', cloister: 'used' },
  },
  {
    number: '23',
    asks: '`listen(0)`, with the port alone',
    probe: (createApp) => {
      const app = createApp()
      return taken(() => callMember(app, 'listen', 0))
    },
    outcome: { fastify4: 'taken', fastify5: 'refused', cloister: 'taken' },
  },
  {
    number: '24',
    asks: '`reply.redirect(301, url)`',
    probe: (createApp) => respond(createApp(), (_request, reply) => reply.redirect(301, '/there')),
    outcome: { fastify4: '301 ', fastify5: '500', cloister: '301 ' },
  },
  {
    number: '25',
    asks: '`reply.redirect(url, 301)`',
    probe: (createApp) => respond(createApp(), (_request, reply) => reply.redirect('/there', 301)),
    outcome: { ...peers('301 '), cloister: '301 ' },
  },
  {
    number: '26',
    asks: 'a route with the method `PROPFIND`',
    probe: (createApp) => taken(() => createApp().route({ method: 'PROPFIND', url: '/', handler: () => '' })),
    outcome: {
      fastify4: 'taken',
      fastify5: 'refused, FST_ERR_ROUTE_METHOD_NOT_SUPPORTED',
      cloister: 'taken',
    },
  },
  {
    number: '27',
    asks: '`hasRoute` with `/12`, where there is a route `/:id`',
    probe: (createApp) => {
      const app = createApp().get('/:id', () => '')
      return Promise.resolve(String(app.hasRoute({ method: 'GET', url: '/12' })))
    },
    outcome: { fastify4: 'true', fastify5: 'false', cloister: 'true' },
  },
  {
    number: '28',
    asks: '`getDefaultRoute`, `setDefaultRoute`',
    probe: (createApp) => Promise.resolve(typeof createApp()['setDefaultRoute']),
    outcome: { fastify4: 'function', fastify5: 'undefined', cloister: 'function' },
  },
  {
    number: '29',
    asks: 'a `pattern` of exponential time that has a backreference or a lookbehind (`^(a+)+(b)\\2$`) in the schema of a request',
    probe: (createApp) =>
      taken(() => {
        const app = createApp()
        const body = { type: 'string', pattern: String.raw`^(a+)+(b)\2$` }
        app.post('/', { schema: { body }, handler: () => '' })
        return app.ready()
      }),
    outcome: { ...peers('taken'), cloister: 'refused, CLO_ERR_SCH_VALIDATION_BUILD' },
  },
  {
    number: '30',
    asks: 'an `async` error handler that resolves to nothing',
    probe: (createApp) => {
      const app = createApp()
      app.setErrorHandler(async () => undefined)
      return respond(app, () => {
        throw new Error('broken')
      })
    },
    outcome: { ...peers('200 '), cloister: '500' },
  },
  {
    number: '31',
    asks: '`trustProxy: 1`, and a client that sends `X-Forwarded-For`',
    probe: (createApp) =>
      respond(createApp({ trustProxy: 1 }), ({ ip }) => (ip === '6.6.6.6' ? 'trusted' : 'not trusted'), {
        headers: { 'x-forwarded-for': '6.6.6.6' },
      }),
    outcome: { fastify4: '200 trusted', fastify5: '200 not trusted', cloister: '200 trusted' },
  },
]
