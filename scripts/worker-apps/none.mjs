// A route without a schema.
import { cloister } from 'cloister'

const app = cloister()
app.get('/hello/:name', async (request) => ({ hello: request.params.name }))

export default { fetch: app.fetch }
