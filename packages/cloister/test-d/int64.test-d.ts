import { cloister } from '../src/index.ts'
import { is, it } from './support.ts'

const id = { type: 'integer', format: 'int64' } as const
const order = { $id: 'order', type: 'object', required: ['id'], properties: { id } } as const

it('gives handlers bigints for the format int64 with integers: bigint', () => {
  const app = cloister({ integers: 'bigint', strict: true }).addSchema(order)
  const querystring = {
    type: 'object',
    required: ['list', 'maybe', 'one', 'plain', 'order'],
    properties: {
      list: { type: 'array', items: id },
      maybe: { type: ['integer', 'null'], format: 'int64' },
      one: { type: 'integer', format: 'int64', enum: [1, 2] },
      plain: { type: 'integer' },
      order: { $ref: 'order#' },
    },
  } as const
  app.get('/', { schema: { querystring, response: { 200: order } } }, ({ query }) => {
    is<bigint[]>()(query.list)
    is<bigint | null>()(query.maybe)
    is<1n | 2n>()(query.one)
    is<number>()(query.plain)
    is<bigint>()(query.order.id)
    return { id: query.order.id }
  })
})

it('gives them to the handlers of plugins within the app, too', () => {
  cloister({ integers: 'bigint' }).register(async (app) => {
    app.post('/', { schema: { body: order } }, ({ body }) => is<bigint>()(body.id))
  })
})

it('gives handlers numbers for the format int64 without the option', () => {
  cloister({ integers: 'exact' }).post('/', { schema: { body: order } }, ({ body }) => is<number>()(body.id))
})
