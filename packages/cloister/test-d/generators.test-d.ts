/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// Handlers that are generators: what they yield is checked against the schema of an item.
import { cloister, sse } from 'cloister'
const app = cloister()
const tick = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
app.get(
  '/a',
  { schema: { response: { 200: { content: { 'text/event-stream': { schema: tick } } } } } },
  async function* ({ lastEventId }) {
    yield { n: Number(lastEventId) }
    yield sse({ data: { n: 1 }, id: 2 })
    yield sse({ comment: 'x' })
  },
)
app.get(
  '/b',
  { schema: { response: { 200: { content: { 'application/x-ndjson': { schema: tick } } } } } },
  async function* () {
    yield { n: 1 }
  },
)
app.get(
  '/c',
  { schema: { response: { 200: { content: { 'application/x-ndjson': { schema: tick } } } } } },
  // @ts-expect-error -- text is no integer
  async function* () {
    yield { n: 'x' }
  },
)
app.get(
  '/d',
  { schema: { response: { 200: { content: { 'text/event-stream': { schema: tick } } } } } },
  // @ts-expect-error -- text is no integer
  async function* () {
    yield sse({ data: { n: 'x' } })
  },
)

// Before its first item a generator sends another response, as its schema has it.
const missing = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
} as const
app.get(
  '/f',
  { schema: { response: { 200: { content: { 'text/event-stream': { schema: tick } } }, 404: missing } } },
  async function* (request, reply) {
    if (request.lastEventId === undefined) return reply.code(404).send({ message: 'no list' })
    // @ts-expect-error -- the schema of 404 has a text
    if (request.lastEventId === '1') return reply.code(404).send({ message: 1 })
    yield { n: 1 }
  },
)

// Bodies of lines are items, one after the other.
app.post(
  '/e',
  { schema: { body: { content: { 'application/x-ndjson': { schema: tick } } } } },
  async ({ body }) => {
    let sum = 0
    for await (const { n } of body) sum += n
    // @ts-expect-error -- the items have no such member
    for await (const { m } of body) void m
    return sum
  },
)
