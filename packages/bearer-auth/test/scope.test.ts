import { afterEach, describe, expect, it } from 'vitest'
import { bearerAuth } from '@cloister/bearer-auth'
import { cloister } from 'cloister'
import { rawRequest } from './helpers/raw-request.ts'

const AUTHORIZED = ['Authorization: Bearer secret-key']
const open: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()))
})

/** Two siblings: `/admin` is protected, `/public` and the root are not. */
async function listen(options: object = {}): Promise<string> {
  const app = cloister()
  open.push(app)
  app.get('/', async () => 'root')
  app.register(async (publicApp) => {
    publicApp.get('/public/books', async () => 'public')
  })
  app.register(
    async (admin) => {
      admin.get('/early', async () => 'early')
      await admin.register(bearerAuth, { keys: ['secret-key'], ...options })
      admin.get('/books', async () => 'books')
      admin.get('/books/:id', async (request) => request.params)
      admin.post('/books', async () => 'created')
      admin.options('/books', async () => 'options')
      admin.register(async (inner) => {
        inner.get('/inner', async () => 'inner')
      })
      admin.get('/files/*', async () => 'file')
    },
    { prefix: '/admin' },
  )
  return app.listen({ port: 0, host: '127.0.0.1' })
}

const PROTECTED = [
  'GET /admin/books',
  'HEAD /admin/books',
  'POST /admin/books',
  'OPTIONS /admin/books',
  'GET /admin/books/1',
  'HEAD /admin/books/1',
  'GET /admin/early',
  'GET /admin/inner',
  'GET /admin/files/a/b',
  'GET /admin/books?next=/public/books',
  // the same routes, written differently
  'GET /%61dmin/books',
  'GET /admin/%62%6F%6F%6B%73',
  'HEAD /%61%64%6D%69%6E/inner',
  'GET /admin/books/%2e%2e',
  'GET /admin/files/../../public/books',
  'GET http://other.test/admin/books',
]
const UNPROTECTED: readonly [request: string, status: number][] = [
  ['GET /', 200],
  ['HEAD /', 200],
  ['GET /public/books', 200],
  ['HEAD /public/books', 200],
  ['GET /%70ublic/books', 200],
  // no route of the protected context, and nothing of it to see
  ['GET /admin', 404],
  ['GET /admin/nothing', 404],
  ['GET /ADMIN/books', 404],
  ['GET /admin%2Fbooks', 404],
  ['GET //admin/books', 404],
  ['DELETE /admin/books', 404],
  ['OPTIONS /admin/inner', 404],
  ['OPTIONS /public/books', 404],
]

describe.each(['onRequest', 'preParsing'])(
  'a context that registers the bearer plugin with the hook %s',
  (addHook) => {
    it.each(PROTECTED)('asks for a token before it responds with %s', async (request) => {
      const response = await rawRequest(await listen({ addHook }), request)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="restricted"')
      expect(response.body).toBe(request.startsWith('HEAD') ? '' : '{"error":"missing authorization header"}')
    })

    it.each(PROTECTED)('refuses a wrong token for %s', async (request) => {
      const response = await rawRequest(await listen({ addHook }), request, ['Authorization: Bearer wrong'])
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe(
        'Bearer realm="restricted", error="invalid_token"',
      )
    })

    it.each(PROTECTED)('responds with %s when the token is right', async (request) => {
      const response = await rawRequest(await listen({ addHook }), request, AUTHORIZED)
      expect(response.status).toBe(200)
    })

    it.each(UNPROTECTED)('has no say outside: %s gets %i', async (request, status) => {
      const address = await listen({ addHook })
      for (const fields of [[], ['Authorization: Bearer wrong'], AUTHORIZED]) {
        const response = await rawRequest(address, request, fields)
        expect(response.status).toBe(status)
        expect(response.headers.has('www-authenticate')).toBe(false)
      }
    })
  },
)

describe('a protected context', () => {
  it('protects its own not-found handler', async () => {
    const app = cloister()
    open.push(app)
    app.register(
      async (admin) => {
        await admin.register(bearerAuth, { keys: ['secret-key'] })
        admin.setNotFoundHandler((_request, reply) => {
          reply.code(404).send('nothing here')
        })
      },
      { prefix: '/admin' },
    )
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    expect((await rawRequest(address, 'GET /admin/x')).status).toBe(401)
    expect((await rawRequest(address, 'GET /admin/x', AUTHORIZED)).status).toBe(404)
    expect((await rawRequest(address, 'GET /x')).status).toBe(404)
  })

  it('reads no body of a stranger', async () => {
    const address = await listen()
    const response = await rawRequest(address, 'POST /admin/books', [
      'Content-Type: application/json',
      'Content-Length: 9000000000',
    ])
    expect(response.status).toBe(401)
  })

  it('uses the first of two Authorization fields', async () => {
    const address = await listen()
    const wrongFirst = ['Authorization: Bearer wrong', ...AUTHORIZED]
    expect((await rawRequest(address, 'GET /admin/books', wrongFirst)).status).toBe(401)
  })

  it('can wait for an asynchronous decision', async () => {
    const auth = async (key: string): Promise<boolean> => key === 'from the database'
    const address = await listen({ auth })
    expect((await rawRequest(address, 'GET /admin/books', AUTHORIZED)).status).toBe(401)
    const accepted = await rawRequest(address, 'GET /admin/books', [
      'Authorization: Bearer from the database',
    ])
    expect(accepted).toMatchObject({ status: 200, body: 'books' })
  })
})
