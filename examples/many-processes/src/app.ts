import { idempotency, type State } from '@cloister/state'
import { publishes, subscribes, topics } from '@cloister/state/topics'
import { cloister, sse } from 'cloister'

const note = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1, maxLength: 500 } },
} as const

/** Creates the app. All that processes share is in the state. */
export async function createApp(state: State) {
  const app = await cloister({ strict: true, logger: process.env['LOG'] !== undefined })
    .register(topics, { state })
    .register(idempotency, { state, scope: 'public' })
  const notes = app.topic('rooms/:room/notes', { schema: note })

  app.post(
    '/rooms/:room/notes',
    {
      schema: {
        body: notes.schema,
        response: { 202: { type: 'object', properties: { pid: { type: 'integer' } } } },
        ...publishes(notes),
      },
      idempotency: true,
    },
    async ({ params, body }, reply) => {
      await notes.publish(params, body)
      return reply.code(202).send({ pid: process.pid })
    },
  )

  app.get(
    '/rooms/:room/notes',
    {
      schema: {
        response: { 200: { content: { 'text/event-stream': { schema: notes.schema } } } },
        ...subscribes(notes),
      },
    },
    async function* ({ params, lastEventId, signal }) {
      for await (const event of notes.subscribe(params, { after: lastEventId, signal })) yield sse(event)
    },
  )
  return app
}
