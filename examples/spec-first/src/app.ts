import { implement, openapi } from '@cloister/openapi'
import { cloister } from 'cloister'

import { document } from './api.generated.ts'
import type { Inputs } from './api.generated.ts'

/** The document says paths, schemas and security; this file has the handlers. */
export function createApp(options: { readonly token: string }) {
  const books = new Map<number, Inputs['Book']>([
    [1, { id: 1, title: 'Flatland', year: 1884, tags: ['maths'] }],
  ])
  const app = cloister({ strict: true })
  // The document has errors of its own form.
  app.setErrorHandler((error, _request, reply) => {
    const code = error.statusCode ?? 500
    return reply.code(code).send({ code, message: code < 500 ? error.message : 'something went wrong' })
  })
  app.register(openapi, { ui: false })
  app.register(
    implement(
      document,
      {
        listBooks: async ({ query }) => {
          const wanted = query.tags ?? []
          const found = [...books.values()].filter(({ tags = [] }) =>
            wanted.every((tag) => tags.includes(tag)),
          )
          return found.slice(0, query.limit)
        },
        addBook: async ({ body }, reply) => {
          const id = books.size + 1
          const book = { id, ...body }
          books.set(id, book)
          return reply.code(201).header('location', `/v1/books/${id}`).send(book)
        },
        getBook: async ({ params }, reply) =>
          books.get(params.id) ?? reply.code(404).send({ code: 404, message: 'no such book' }),
        removeBook: async ({ params }, reply) => {
          if (books.delete(params.id)) return reply.code(204).send()
          return reply.code(404).send({ code: 404, message: 'no such book' })
        },
      },
      { security: { token: ({ headers }) => headers.authorization === `Bearer ${options.token}` } },
    ),
    { prefix: '/v1' },
  )
  return app
}
