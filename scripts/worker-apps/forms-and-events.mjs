// A form with a file, and a stream of events.
import 'cloister/features/forms'
import 'cloister/features/items'
import { cloister } from 'cloister'

const form = /** @type {const} */ ({
  type: 'object',
  required: ['picture'],
  properties: { title: { type: 'string' }, picture: { type: 'string', format: 'binary', maxLength: 1000 } },
})
const event = /** @type {const} */ ({ type: 'object', properties: { at: { type: 'integer' } } })
const app = cloister()
app.post(
  '/pictures',
  { schema: { body: { content: { 'multipart/form-data': { schema: form } } } } },
  (request) => ({ title: request.body.title, name: request.body.picture.name }),
)
app.get(
  '/events',
  { schema: { response: { 200: { content: { 'text/event-stream': { schema: event } } } } } },
  async function* events() {
    yield { at: 1 }
    yield { at: 2 }
  },
)

export default { fetch: app.fetch }
