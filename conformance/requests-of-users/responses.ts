// Cases 4 to 6, 10 and 13: what a client gets for what a handler sends.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Handler, RouteOptions } from '../harness/app-shape.ts'
import { sendSocket } from '../harness/send.ts'
import { messageOf, peers } from '../outcome-case.ts'
import type { OutcomeCase, CreateApp } from '../outcome-case.ts'

/** The response to a payload under a response schema. */
async function respond(
  createApp: CreateApp,
  response: object,
  handler: Handler,
  options: RouteOptions = {},
): Promise<string> {
  const app = createApp().get('/', { ...options, schema: { response }, handler })
  const { status, text, json } = await sendSocket(app, { path: '/' })
  return status < 400 ? `${status} ${text}` : `${status}, ${messageOf(json())}`
}

const properties = (of: Record<string, string>): object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(of).map(([name, type]) => [name, { type }])),
})
const STRICT = { serialization: 'strict' }
const union = { 200: { anyOf: [properties({ a: 'string' }), properties({ b: 'string' })] } }
const count = { 200: properties({ count: 'integer' }) }
const nulls = { 200: properties({ n: 'integer', s: 'string' }) }
const user: Handler = (_request, reply) => reply.code(201).send({ name: 'Ada', password: 'secret' })

/** A helper as people write them: it sets something and gives the reply back. */
async function withHeader<T extends { header(name: string, value: string): unknown }>(reply: T): Promise<T> {
  reply.header('x-made-by', 'helper')
  return reply
}

/** Long enough for any response that is coming. */
const PATIENCE_MS = 500

/** What is written. */
export const responseCases: readonly OutcomeCase[] = [
  {
    number: '4',
    asks: '`anyOf` of two objects serializes the branch that the value matches',
    probe: (createApp) => respond(createApp, union, () => ({ b: 'x' })),
    outcome: { ...peers('200 {}'), cloister: '200 {"b":"x"}' },
  },
  {
    number: '5',
    asks: '`1.5` does not silently become `1` if an integer is declared',
    probe: (createApp) => respond(createApp, count, () => ({ count: 1.5 })),
    outcome: { ...peers('200 {"count":1}'), cloister: '200 {"count":1}' },
    strict: '500, Internal Server Error',
  },
  {
    number: '5a',
    asks: "… with `serialization: 'strict'`",
    probe: (createApp) => respond(createApp, count, () => ({ count: 1.5 }), STRICT),
    outcome: {
      ...peers(null),
      cloister: '500, expected an integer instead of 1.5, got a number (at /count)',
    },
    strict: '500, Internal Server Error',
  },
  {
    number: '6b',
    asks: '`null` in a response does not silently become `0` or `""`',
    probe: (createApp) => respond(createApp, nulls, () => ({ n: null, s: null })),
    outcome: { ...peers('200 {"n":0,"s":""}'), cloister: '200 {"n":0,"s":""}' },
    strict: '500, Internal Server Error',
  },
  {
    number: '6c',
    asks: "… with `serialization: 'strict'`",
    probe: (createApp) => respond(createApp, nulls, () => ({ n: null, s: null }), STRICT),
    outcome: { ...peers(null), cloister: '500, expected an integer, got null (at /n)' },
    strict: '500, Internal Server Error',
  },
  {
    number: '10',
    asks: 'a 201 does not show the password if only 200 has a schema',
    probe: (createApp) => respond(createApp, { 200: properties({ name: 'string' }) }, user),
    outcome: {
      ...peers('201 {"name":"Ada","password":"secret"}'),
      cloister: '201 {"name":"Ada","password":"secret"}',
    },
    strict: '500, Internal Server Error',
  },
  {
    number: '10a',
    asks: "… with the key `'2xx'` or `default`",
    probe: (createApp) => respond(createApp, { '2xx': properties({ name: 'string' }) }, user),
    outcome: { ...peers('201 {"name":"Ada"}'), cloister: '201 {"name":"Ada"}' },
  },
  {
    number: '13',
    asks: 'awaiting a helper that returns the reply, and then sending, does not hang',
    probe: async (createApp) => {
      const sent = respond(createApp, { 200: { type: 'string' } }, async (_request, reply) => {
        await withHeader(reply)
        return reply.type('text/plain').send('sent')
      })
      return Promise.race([sent, sleep(PATIENCE_MS, 'hangs', { ref: false })])
    },
    outcome: { ...peers('hangs'), cloister: 'hangs' },
    strict: '200 sent',
  },
]
