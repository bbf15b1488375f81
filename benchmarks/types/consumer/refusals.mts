// What must not compile for users either, whichever compiler they have.

import { cloister } from 'cloister'

const app = cloister()
const known = app.addSchema({ $id: 'book', type: 'object', properties: { title: { type: 'string' } } })

// @ts-expect-error -- no such schema
known.post('/', { schema: { body: { $ref: 'boook#' } } }, () => 'x')

// @ts-expect-error -- the literal is not declared
app.get('/', { schema: { response: { 200: { enum: ['open', 'closed'] } } } }, () => 'ajar')

app.get('/', { schema: { response: { 200: { type: 'string' } } } }, (request, reply) => {
  // @ts-expect-error -- 500 is not declared
  reply.code(500)
})

app.register(async (child) => {
  child.decorate('secret', 'x')
})
app.register(async (child) => {
  // @ts-expect-error -- a sibling's
  return child.secret
})
