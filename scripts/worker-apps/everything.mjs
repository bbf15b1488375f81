// All features.
import 'cloister/features/all'
import { cloister } from 'cloister'

const app = cloister({ logger: { level: 'warn' }, strict: true, trustProxy: '10.0.0.0/8' })
app.get('/hello/:name', async (request) => ({ hello: request.params.name }))

export default { fetch: app.fetch }
