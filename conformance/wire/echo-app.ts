import type { App } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { readResponses } from './read-responses.ts'

type Done = (error: null, value: unknown) => void

/** Adds a route that responds with what was understood of its request. */
export function addEcho(app: App): App {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request: unknown, body: Buffer, done: Done) =>
    done(null, body.toString('latin1')),
  )
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']
  app.route({
    method: methods,
    url: '*',
    handler: (request) => ({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body,
    }),
  })
  return app
}

/** What was understood on a connection, request by request, up to the first that was refused. */
export interface Understood {
  readonly accepted: readonly string[]
  /** the statuses of all responses */
  readonly statuses: readonly number[]
  /** the last response says that no other request is read */
  readonly isLast: boolean
  readonly fault: string | null
}

/** Whether a request asks for another protocol: nobody takes it here, and Node's parser drops what follows it. */
export const isUpgrade = (accepted: string | undefined): boolean => /"upgrade":/.test(accepted ?? '')

/** Sends bytes to an app with the route of `addEcho`. */
export async function understand(app: App, bytes: Buffer): Promise<Understood> {
  const { text } = await rawSocket(app, bytes, { end: true })
  const { responses, fault } = readResponses(text)
  const refused = responses.findIndex(({ status }) => status !== 200)
  const accepted = responses.slice(0, refused === -1 ? responses.length : refused)
  return {
    accepted: accepted.map(({ body }) => body),
    statuses: responses.map(({ status }) => status),
    isLast: refused === -1 && responses.at(-1)?.headers.get('connection') === 'close',
    fault,
  }
}
