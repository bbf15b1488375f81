import type { Cloister } from 'cloister'

interface Note {
  readonly id: number
  readonly text: string
  readonly done: boolean
}

const note = {
  type: 'object',
  required: ['id', 'text', 'done'],
  properties: { id: { type: 'integer' }, text: { type: 'string' }, done: { type: 'boolean' } },
} as const

const newNote = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 200 },
    done: { type: 'boolean', default: false },
  },
} as const

const problem = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
} as const

/** Notes in memory; put your database here. */
export async function notes(app: Cloister): Promise<void> {
  const all: Note[] = []

  app.get('/', { schema: { response: { 200: { type: 'array', items: note } } } }, async () => all)

  app.get(
    '/:id',
    { schema: { params: { id: { type: 'integer' } }, response: { 200: note, 404: problem } } },
    async (request, reply) => {
      const { id } = request.params
      return all.find((one) => one.id === id) ?? reply.code(404).send({ message: `there is no note ${id}` })
    },
  )

  app.post('/', { schema: { body: newNote, response: { 201: note } } }, async (request, reply) => {
    const added = { id: all.length + 1, ...request.body }
    all.push(added)
    return reply.code(201).send(added)
  })
}
