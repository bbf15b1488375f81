// The app of the front page's picture: tokens in one context, the administration inside it.
import { cloister } from 'cloister'

const app = cloister()
app.addHook('onRequest', async function requestId() {})

app.register(async function publicRoutes(child) {
  child.get('/books', () => [])
})

app.register(members, { prefix: '/members' })

/** @type {import('cloister').FastifyPluginAsync} */
async function members(child) {
  child.addHook('onRequest', async function checkToken() {})
  child.get('/orders', () => [])
  child.register(admin, { prefix: '/admin' })
}

/** @type {import('cloister').FastifyPluginAsync} */
async function admin(child) {
  const schema = { body: { type: 'object' }, response: { 200: { type: 'object' } } }
  child.addHook('preHandler', async function mustBeAdmin() {})
  child.put('/books/:id', { schema }, function replaceBook() {
    return {}
  })
}

export default app
