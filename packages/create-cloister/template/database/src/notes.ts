import type { Cloister } from 'cloister'
import Database from 'libsql'

export interface NotesOptions {
  /** The file of the database. */
  readonly file: string
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

const TABLE = `create table if not exists notes (
  id integer primary key,
  text text not null,
  done integer not null
)`

/** SQLite has no booleans. */
function toNote(row: unknown) {
  const { id, text, done } = Object(row)
  return { id: Number(id), text: String(text), done: done === 1 }
}

/** Notes in a database, which opens and closes with the app. */
export async function notes(app: Cloister, { file }: NotesOptions): Promise<void> {
  const database = new Database(file)
  app.addHook('onClose', async () => void database.close())
  database.exec(TABLE)
  const all = database.prepare('select id, text, done from notes order by id')
  const byId = database.prepare('select id, text, done from notes where id = ?')
  const add = database.prepare('insert into notes (text, done) values (?, ?) returning id, text, done')

  app.get('/', { schema: { response: { 200: { type: 'array', items: note } } } }, async () =>
    all.all().map(toNote),
  )

  app.get(
    '/:id',
    { schema: { params: { id: { type: 'integer' } }, response: { 200: note, 404: problem } } },
    async (request, reply) => {
      const { id } = request.params
      const [row] = byId.all(id)
      return row === undefined ? reply.code(404).send({ message: `there is no note ${id}` }) : toNote(row)
    },
  )

  app.post('/', { schema: { body: newNote, response: { 201: note } } }, async (request, reply) => {
    const { text, done } = request.body
    const [row] = add.all(text, done ? 1 : 0)
    return reply.code(201).send(toNote(row))
  })
}
