/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// The types of the route option `web`, and of what the plugin adds.
import { cloister } from 'cloister'
import { web } from '@cloister/web'

const app = cloister().register(web, { origins: ['https://shop.example'], limit: { max: 100, per: '1m' } })

app.get('/a', { web: { headers: 'html', compress: { above: 10 } } }, (_request, reply) => reply.cspNonce())
app.get('/b', { web: { limit: false, cors: { credentials: true } } }, (_request, reply) =>
  reply.setCookie('sid', '1').send('b'),
)
app.put(
  '/c/:id',
  { web: { version: (request) => request.url, requireVersion: true } },
  (request) => request.params.id,
)
app.route({ method: 'GET', url: '/d', web: { conditional: 'weak' }, handler: () => 'd' })

// @ts-expect-error -- the name is misspelt
app.get('/e', { web: { header: 'html' } }, () => 'e')
// @ts-expect-error -- the name of a member is misspelt
app.get('/f', { web: { limit: { max: 1, pre: '1m' } } }, () => 'f')
// @ts-expect-error -- there is no such set
app.get('/g', { web: { headers: 'strict' } }, () => 'g')
// @ts-expect-error -- a period has a unit
app.get('/h', { web: { limit: { max: 1, per: '1 minute' } } }, () => 'h')
// @ts-expect-error -- the origins are those of the app
app.get('/i', { web: { origins: ['https://shop.example'] } }, () => 'i')
// @ts-expect-error -- a version is a text
app.get('/j', { web: { version: () => 5 } }, () => 'j')
// @ts-expect-error -- an option of the plugin is misspelt
cloister().register(web, { origin: ['https://shop.example'] })
