// What an application sees of requests, where the lines of the peer and Cloister are not of one mind.
import { ask, respond } from './ask.ts'
import { peers } from '../outcome-case.ts'
import type { OutcomeCase } from '../outcome-case.ts'

const needs = (name: string): object => ({ type: 'object', required: [name] })
const json = { 'content-type': 'application/json' }
const NO_REQUEST_TIMEOUT = '0'

/** Requests, bodies and validation. */
export const requestCases: readonly OutcomeCase[] = [
  {
    number: '1',
    asks: '`code` of a validation error',
    probe: (createApp) => {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) => reply.send(error.code))
      return respond(app, () => '', {}, { schema: { querystring: needs('page') } })
    },
    outcome: { ...peers('200 FST_ERR_VALIDATION'), cloister: '200 CLO_ERR_VALIDATION' },
  },
  {
    number: '2',
    asks: '`validationContext` when the query is not valid',
    probe: (createApp) => {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) => reply.send(error.validationContext))
      return respond(app, () => '', {}, { schema: { querystring: needs('page') } })
    },
    outcome: { ...peers('200 querystring'), cloister: '200 query' },
  },
  {
    number: '3',
    asks: '`code` of malformed JSON',
    probe: (createApp) => {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) => reply.send(error.code ?? 'none'))
      return respond(app, () => '', { method: 'POST', headers: json, body: '{"a":' })
    },
    outcome: {
      fastify4: '200 none',
      fastify5: '200 FST_ERR_CTP_INVALID_JSON_BODY',
      cloister: '200 CLO_ERR_CTP_INVALID_JSON_BODY',
    },
  },
  {
    number: '4',
    asks: 'DELETE with the type JSON and no body',
    probe: (createApp) => respond(createApp(), () => 'gone', { method: 'DELETE', headers: json }),
    outcome: { fastify4: '200 gone', fastify5: '400', cloister: '200 gone' },
  },
  {
    number: '5',
    asks: 'a `date-time` without a time zone',
    probe: (createApp) => {
      const body = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }
      const sent = { method: 'POST', body: { at: '2020-01-01T00:00:00' } }
      return respond(createApp(), () => 'valid', sent, { schema: { body } })
    },
    outcome: { fastify4: '200 valid', fastify5: '400', cloister: '400' },
  },
  {
    number: '6',
    asks: '`request.hostname` for `Host: example.org:80`',
    probe: (createApp) =>
      respond(createApp(), (request) => request.hostname, { headers: { host: 'example.org:80' } }),
    outcome: { fastify4: '200 example.org:80', fastify5: '200 example.org', cloister: '200 example.org' },
  },
  {
    number: '7',
    asks: '`request.params.hasOwnProperty`',
    probe: (createApp) => respond(createApp(), ({ params }) => typeof params['hasOwnProperty']),
    outcome: { fastify4: '200 function', fastify5: '200 undefined', cloister: '200 undefined' },
  },
  {
    number: '8',
    asks: '`request.connection`',
    probe: (createApp) => respond(createApp(), (request) => typeof request['connection']),
    outcome: { fastify4: '200 object', fastify5: '200 undefined', cloister: '200 object' },
  },
  {
    number: '9',
    asks: '`request.routerPath`, and the other old names of the route',
    probe: (createApp) => respond(createApp(), (request) => String(request['routerPath'])),
    outcome: { fastify4: '200 /', fastify5: '200 undefined', cloister: '200 /' },
  },
  {
    number: '10',
    asks: '`request.id` when a client sends `request-id: theirs`',
    probe: (createApp) =>
      respond(createApp(), (request) => String(request.id), { headers: { 'request-id': 'theirs' } }),
    outcome: { fastify4: '200 theirs', fastify5: '200 req-1', cloister: '200 theirs' },
  },
  {
    number: '11',
    asks: 'the query of `/;page=2`',
    probe: (createApp) => respond(createApp(), (request) => request.query, { path: '/;page=2' }),
    outcome: { fastify4: '200 {"page":"2"}', fastify5: '404', cloister: '200 {"page":"2"}' },
  },
  {
    number: '12',
    asks: 'a path parameter of 101 characters',
    probe: (createApp) =>
      ask(
        createApp().get('/:name', () => 'x'),
        { path: `/${'x'.repeat(101)}` },
      ),
    outcome: { fastify4: '404', fastify5: '414', cloister: '404' },
  },
  {
    number: '13',
    asks: '`X-Forwarded-Host` of a client that `trustProxy` does not name',
    probe: (createApp) =>
      respond(
        createApp({ trustProxy: '10.0.0.1' }),
        (request) => (request.hostname.startsWith('evil') ? 'trusted' : 'not trusted'),
        { headers: { 'x-forwarded-host': 'evil.example' } },
      ),
    outcome: { fastify4: '200 trusted', fastify5: '200 not trusted', cloister: '200 not trusted' },
  },
  {
    number: '14',
    asks: 'a hook that throws `undefined`',
    probe: (createApp) => {
      const app = createApp()
      app.addHook('preHandler', () => {
        throw undefined
      })
      return respond(app, () => 'the handler ran')
    },
    outcome: { ...peers('200 the handler ran'), cloister: '500' },
  },
  {
    number: '15',
    asks: '`requestTimeout` of the server where none is given',
    probe: (createApp) => Promise.resolve(String(createApp().server.requestTimeout)),
    outcome: { ...peers(NO_REQUEST_TIMEOUT), cloister: '300000' },
  },
]
