// A project whose configuration names no target: TypeScript 5 compiles it for ES5, and checks declarations by its rules.
import cloister from 'cloister'

const app = cloister()
app.get(
  '/books/:id',
  { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } } } },
  (request) => ({
    id: request.params.id,
  }),
)
