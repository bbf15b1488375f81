// The functions of schemas change from closures to generated code under load; no client may notice.
import { describeTransports } from '../harness/transports.ts'

/** More calls than it takes until code is generated. */
const CALLS = 5100
const USER = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', default: 1 } },
  additionalProperties: false,
}

describeTransports(
  'a route that becomes hot',
  ({ createApp, send, it, expect }) => {
    it('responds to every request alike, valid or invalid', async () => {
      const app = createApp()
      app.post('/', { schema: { body: USER, response: { 200: USER } } }, (request) => request.body)
      const headers = { 'content-type': 'application/json' }
      const post = (body: string) => send(app, { method: 'POST', path: '/', headers, body })
      const outcomes = new Set<string>()
      for (let calls = 0; calls < CALLS; calls += 20) {
        const valid = Array.from({ length: 20 }, () => post('{"name":"Ada","age":"7","extra":1}'))
        for (const { status, text } of await Promise.all(valid)) outcomes.add(`${status} ${text}`)
        const invalid = await post('{"name":"A"}')
        outcomes.add(`${invalid.status} ${JSON.parse(invalid.text).message}`)
      }
      expect([...outcomes].sort()).toEqual([
        '200 {"name":"Ada","age":7}',
        '400 body/name must NOT have fewer than 2 characters',
      ])
    })
  },
  ['in-process', 'socket'],
)
