import type { SharedApp } from './shared.ts'

const newNote = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 200 },
    done: { type: 'boolean', default: false },
  },
} as const

/** The routes of notes. The store and the schemas `note` and `problem` come from `shared.ts`. */
export async function notes(app: SharedApp): Promise<void> {
  app.get('/', { schema: { response: { 200: { type: 'array', items: { $ref: 'note#' } } } } }, () =>
    app.store.all(),
  )

  app.get(
    '/:id',
    {
      schema: {
        params: { id: { type: 'integer' } },
        response: { 200: { $ref: 'note#' }, 404: { $ref: 'problem#' } },
      },
    },
    (request, reply) => {
      const { id } = request.params
      return app.store.find(id) ?? reply.code(404).send({ message: `there is no note ${id}` })
    },
  )

  app.post('/', { schema: { body: newNote, response: { 201: { $ref: 'note#' } } } }, (request, reply) => {
    const { text, done } = request.body
    return reply.code(201).send(app.store.add(text, done))
  })
}
