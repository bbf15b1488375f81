// An app as people wrote them for the 4.x line: callbacks, the short form of schemas, names that 5.x has dropped.
import type { App, Done } from '../harness/app-shape.ts'
import { wrap } from '../harness/subject.ts'

interface Book {
  readonly id: number
  readonly title: string
  readonly notes: string
}

const store = wrap(
  (app: App, _options: Record<string, unknown>, done: Done) => {
    const books: Book[] = [{ id: 1, title: 'Flatland', notes: 'not for clients' }]
    app.decorate('books', books)
    app.addHook('onClose', (_instance, closed) => {
      books.length = 0
      closed()
    })
    done()
  },
  { name: 'store', fastify: '4.x' },
)

function routes(app: App, _options: Record<string, unknown>, done: Done): void {
  const books = app['books'] as Book[]
  app.addSchema({
    $id: 'book',
    type: 'object',
    properties: { id: { type: 'integer' }, title: { type: 'string' } },
  })
  app.get('/', {
    schema: {
      querystring: { limit: { type: 'integer', default: 10 } },
      response: { '2xx': { type: 'array', items: { $ref: 'book#' } } },
    },
    handler: (request, reply) => {
      reply.send(books.slice(0, Number(request.query['limit'])))
    },
  })
  app.post('/', {
    schema: { body: { title: { type: 'string' } }, response: { 201: { $ref: 'book#' } } },
    handler: (request, reply) => {
      const book = { id: books.length + 1, notes: '', ...Object(request.body) }
      books.push(book)
      reply.code(201).send(book)
    },
  })
  app.get('/old', (_request, reply) => reply.redirect(301, '/books'))
  app.get('/where/:id', (request) => ({ path: request['routerPath'], time: typeof request.log }))
  done()
}

/** Builds the app with the factory that is given, the one thing that changes. */
export function buildAppOf4x(factory: (options?: Record<string, unknown>) => App): App {
  const app = factory({ ignoreTrailingSlash: true })
  app.register(store)
  app.register(routes, { prefix: '/books' })
  app.setErrorHandler((error, _request, reply) => {
    if (error.validation) reply.code(422).send({ problem: error.message })
    else reply.send(error)
  })
  return app
}
