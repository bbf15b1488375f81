import { create, object, post, probe, statusOf } from './probe.ts'
import type { Given, Probes } from './probe.ts'

const status = (request: Given) => (given: Given, route: Given) =>
  statusOf(
    create(given).post('/', route, () => 'ok'),
    request,
  )
const LINES = { content: { 'application/x-ndjson': { schema: object({ n: { type: 'integer' } }) } } }

export const bodies: Probes = {
  bodyLimit: probe(5, 200, 413, status(post('{"a":"long"}'))),
  itemsLimit: probe(10, 200, 413, async (given, route) => {
    const app = create(given).post('/', { ...route, schema: { body: LINES } }, async ({ body }) => {
      for await (const item of body as AsyncIterable<unknown>) void item
      return 'ok'
    })
    return statusOf(app, post('{"n":1}\n{"n":2}\n', { 'content-type': 'application/x-ndjson' }))
  }),
  bodyText: probe(
    'utf-8',
    200,
    400,
    status(post(Buffer.from([0x22, 0xff, 0x22]), { 'content-type': 'application/json' })),
  ),
  duplicateNames: probe('refuse', 200, 400, status(post('{"a":1,"a":2}'))),
  unknownEncodings: probe('refuse', 200, 415, status(post('{"a":1}', { 'content-encoding': 'own' }))),
  onProtoPoisoning: probe('remove', 400, 200, status(post('{"__proto__":{"a":1}}'))),
  onConstructorPoisoning: probe('remove', 400, 200, status(post('{"constructor":{"prototype":{"a":1}}}'))),
}
