import { cloister } from 'cloister'

const app = cloister({ strict: true })
const text = { response: { 200: { type: 'string' } } } as const

app.get('/', { schema: text }, async () => 'Everybody may read this.')

// The hook and the decorator belong to this plugin, and to what it registers.
app.register(
  async (admin) => {
    const guarded = admin.decorate('secret', 'open sesame')
    guarded.addHook('onRequest', async function checkSecret(request, reply) {
      if (request.headers.authorization === guarded.secret) return
      return reply.code(401).send()
    })
    guarded.get('/', { schema: text }, async () => 'You know the secret.')
  },
  { prefix: '/admin' },
)

export default app
