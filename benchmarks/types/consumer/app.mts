// An app as its authors write it, checked with the declarations as they are published.

import { plugin } from '@cloister/plugin'
import { type } from 'arktype'
import { cloister, definePlugin } from 'cloister'
import type { Cloister, Ctx, Handler } from 'cloister'
import { Type } from 'typebox'
import * as v from 'valibot'
import { z } from 'zod'

interface Stock {
  count(id: string): number
}

const stock = definePlugin<{ provides: { app: { stock: Stock } }; options: { limit: number } }>({
  name: 'stock',
  plugin(instance, { limit }) {
    instance.decorate('stock', { count: (id: string) => Math.min(id.length, limit) })
  },
})

const visits = plugin(async (instance: Cloister<Ctx<{ stock: Stock }>>) =>
  instance.decorateRequest('visits', 0),
)

const app = cloister({ logger: false })
  .register(stock, { limit: 10 })
  .register(visits)
  .addSchema({
    $id: 'book',
    type: 'object',
    properties: { title: { type: 'string' }, pages: { type: 'integer', default: 1 } },
    required: ['title'],
  })

app.post(
  '/books/:id',
  {
    schema: {
      params: z.object({ id: z.coerce.number() }),
      querystring: v.object({ shelf: v.string() }),
      headers: type({ 'x-key': 'string' }),
      body: { $ref: 'book#' },
      response: { 201: Type.Object({ id: Type.Integer() }), '4xx': { message: { type: 'string' } } },
    },
    preHandler: async (request) => {
      request.visits += request.body.pages
    },
  },
  async (request, reply) => {
    if (request.server.stock.count(request.query.shelf) === 0)
      return reply.code(404).send({ message: 'none' })
    return reply.code(201).send({ id: request.params.id })
  },
)

export const route = { url: '/:id', schema: { response: { 200: { type: 'string' } } } } as const
export const show: Handler<typeof route, typeof app> = async (request) =>
  `${request.params.id} ${request.visits}`
app.get(route.url, route, show)

export const received: Promise<number> = app.inject('/1').then(({ statusCode }) => statusCode)
