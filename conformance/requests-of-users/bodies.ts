// Cases 1 to 3 and what completes them: a route with a body schema never sees a body that the schema was not applied to.
import type { App } from '../harness/app-shape.ts'
import { sendSocket } from '../harness/send.ts'
import type { SendRequest } from '../harness/send.ts'
import { peers } from '../outcome-case.ts'
import type { OutcomeCase, CreateApp } from '../outcome-case.ts'

const needsName = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }

/** A route whose body has a schema for one content type. */
function withContent(createApp: CreateApp, contentType = 'application/json'): App {
  const body = { content: { [contentType]: { schema: needsName } } }
  return createApp().post('/', { schema: { body } }, () => 'handler ran')
}

async function post(app: App, request: Omit<SendRequest, 'path' | 'method'>): Promise<string> {
  const { status, text } = await sendSocket(app, { method: 'POST', path: '/', ...request })
  return text === 'handler ran' ? `${status}, the handler ran` : String(status)
}

const json = (contentType: string): Pick<SendRequest, 'headers' | 'body'> => ({
  headers: { 'content-type': contentType },
  body: '{}',
})

/** Bodies and the schema that is chosen for them. */
export const bodyCases: readonly OutcomeCase[] = [
  {
    number: '1',
    asks: 'a body whose type is not in the `content` map is refused',
    probe: (createApp) =>
      post(withContent(createApp), { headers: { 'content-type': 'text/plain' }, body: 'x' }),
    outcome: { ...peers('200, the handler ran'), cloister: '415' },
  },
  {
    number: '2',
    asks: 'a `content` map without any body is refused',
    probe: (createApp) => post(withContent(createApp), {}),
    outcome: { ...peers('200, the handler ran'), cloister: '400' },
  },
  {
    number: '3',
    asks: 'a `content` map with the key `Application/JSON` validates JSON',
    probe: (createApp) => post(withContent(createApp, 'Application/JSON'), json('application/json')),
    outcome: { ...peers('200, the handler ran'), cloister: '400' },
  },
  {
    number: '16',
    asks: 'an asynchronous validator that resolves to `{ error }` refuses',
    probe: (createApp) => {
      const app = createApp().setValidatorCompiler(() => async () => ({ error: new Error('no') }))
      app.post('/', { schema: { body: needsName } }, () => 'handler ran')
      return post(app, json('application/json'))
    },
    outcome: { fastify4: '400', fastify5: '200, the handler ran', cloister: '400' },
  },
  {
    number: '17',
    asks: '`application/jsonx` is not accepted as JSON without validation',
    probe: (createApp) => post(withContent(createApp), json('application/jsonx')),
    outcome: { fastify4: '200, the handler ran', fastify5: '415', cloister: '415' },
  },
]
