// Each row of the request path does something: without the row, its probe shows something else.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { App, RouteOptions } from '../harness/app-shape.ts'
import { REPLY_STAGES, REQUEST_STAGES } from '../../packages/cloister/src/request/stages.ts'
import type { StageEntry } from '../../packages/cloister/src/request/stages.ts'
import { closeAll, create, object, post, statusOf, textOf, wait } from './probe.ts'
import type { Given } from './probe.ts'

const PAGE = object({ page: { type: 'integer' } })

const route = (others: RouteOptions, options: Given = {}): App =>
  create(options).route({ method: 'GET', url: '/', handler: () => 'ok', ...others })

/** A route that says whether a hook has run. */
const hooked = (name: string, hooks: Hooked = {}): Row => ({
  see: async () => {
    let ran = false
    const hook = async (...args: readonly unknown[]): Promise<unknown> => {
      ran = true
      return args[2]
    }
    const { handler = () => 'ok', request = '/' } = hooks
    await textOf(route({ method: ['GET', 'POST'], handler, [name]: hook }), request)
    return ran
  },
  shows: true,
})

interface Hooked {
  readonly handler?: () => unknown
  readonly request?: Given | string
}

interface Row {
  readonly see: () => Promise<unknown>
  readonly shows: unknown
}

/** Counts what `strict` would refuse, by kind. */
async function reported(app: App, request: Given | string = '/'): Promise<unknown> {
  await textOf(app, request)
  const report: unknown = Reflect.get(app, 'report')
  const { routes }: { routes: { counts: object }[] } = typeof report === 'function' ? report.call(app) : {}
  return routes[0]?.counts
}

/** What each row shows, and how: the probe runs once with the row and once without. */
const ROWS: Readonly<Record<string, Row>> = {
  deadline: { see: () => statusOf(route({ handlerTimeout: 20, handler: () => wait(400) })), shows: 503 },
  judgeTime: {
    see: async () => {
      vi.useFakeTimers({
        toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'],
      })
      const handler = async (): Promise<string> => {
        await vi.advanceTimersByTimeAsync(60_000)
        return 'ok'
      }
      return reported(route({ handler }, { strict: 'report' })).finally(() => vi.useRealTimers())
    },
    shows: { handlerTimeout: 1 },
  },
  onRequest: hooked('onRequest'),
  negotiate: {
    see: () =>
      statusOf(
        route(
          { schema: { response: { 200: { content: { 'application/json': { schema: PAGE } } } } } },
          { contentNegotiation: true },
        ),
        { url: '/', headers: { accept: 'text/csv' } },
      ),
    shows: 406,
  },
  preParsing: hooked('preParsing'),
  readBody: {
    see: () => textOf(route({ method: 'POST', handler: ({ body }) => ({ body }) }), post('{"a":1}')),
    shows: '{"body":{"a":1}}',
  },
  keepRawBody: {
    see: () =>
      textOf(
        route({ method: 'POST', rawBody: true, handler: ({ rawBody }) => String(rawBody) }),
        post('[1]'),
      ),
    shows: '[1]',
  },
  parseBody: {
    see: () => textOf(route({ method: 'POST', handler: ({ body }) => ({ body }) }), post('{"a":1}')),
    shows: '{"body":{"a":1}}',
  },
  preValidation: hooked('preValidation'),
  copyParts: {
    see: () =>
      reported(route({ method: 'POST', schema: { body: PAGE } }, { strict: 'report' }), post('{"page":"1"}')),
    shows: { coerceJsonBodies: 1 },
  },
  validate: { see: () => statusOf(route({ schema: { querystring: PAGE } }), '/?page=x'), shows: 400 },
  judge: {
    see: () =>
      reported(route({ method: 'POST', schema: { body: PAGE } }, { strict: 'report' }), post('{"page":"1"}')),
    shows: { coerceJsonBodies: 1 },
  },
  preHandler: hooked('preHandler'),
  expectStatus: {
    see: () =>
      statusOf(
        route({
          schema: { response: { 200: PAGE } },
          undeclaredStatuses: 'error',
          handler: (_request, reply) => reply.code(201).send('text'),
        }),
      ),
    shows: 500,
  },
  handler: { see: () => textOf(route({})), shows: 'ok' },
  preSerialization: hooked('preSerialization', { handler: () => ({}) }),
  checkStatus: {
    see: () =>
      statusOf(
        route({
          schema: { response: { 200: PAGE } },
          undeclaredStatuses: 'error',
          handler: (_request, reply) => reply.code(201).send({ page: 1 }),
        }),
      ),
    shows: 500,
  },
  serialize: {
    see: () =>
      textOf(route({ schema: { response: { 200: PAGE } }, handler: () => ({ page: 1, secret: 2 }) })),
    shows: '{"page":1}',
  },
  serializeAndJudge: {
    see: () =>
      textOf(
        route(
          { schema: { response: { 200: PAGE } }, handler: () => ({ page: 1, secret: 2 }) },
          { strict: 'report' },
        ),
      ),
    shows: '{"page":1}',
  },
  onSend: hooked('onSend'),
  write: { see: () => textOf(route({})), shows: 'ok' },
}

/** Runs a function without a row of the table; a request without a response shows `nothing`. */
async function withoutRow(row: StageEntry, see: () => Promise<unknown>): Promise<unknown> {
  const table = REQUEST_STAGES.includes(row) ? REQUEST_STAGES : REPLY_STAGES
  const index = table.indexOf(row)
  Array.prototype.splice.call(table, index, 1)
  try {
    return await Promise.race([see().catch(String), wait(1000).then(() => 'nothing')])
  } finally {
    Array.prototype.splice.call(table, index, 0, row)
  }
}

afterEach(closeAll)

describe('each row of the request path', () => {
  const rows = [...REQUEST_STAGES, ...REPLY_STAGES].map((row) => ({ row, name: row.name }))

  it('has a probe', () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  it.each(rows)('$name does what its probe shows, and nothing else does it', async ({ row, name }) => {
    const { see, shows } = ROWS[name] ?? { see: async () => 'no probe', shows: null }
    expect(await see()).toEqual(shows)
    expect(await withoutRow(row, see)).not.toEqual(shows)
  })
})
