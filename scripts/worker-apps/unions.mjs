// Unions, formats, and an expression that an automaton runs.
import 'cloister/features/expressions'
import 'cloister/features/formats'
import 'cloister/features/unions'
import { cloister } from 'cloister'

const contact = /** @type {const} */ ({
  oneOf: [
    {
      type: 'object',
      required: ['kind', 'email'],
      properties: { kind: { const: 'mail' }, email: { type: 'string', format: 'email' } },
    },
    {
      type: 'object',
      required: ['kind', 'number'],
      properties: { kind: { const: 'phone' }, number: { type: 'string', pattern: '^(?:\\d+[ -]?)+$' } },
    },
  ],
})
const app = cloister()
app.post('/contacts', { schema: { body: contact, response: { 200: contact } } }, (request) => request.body)

export default { fetch: app.fetch }
