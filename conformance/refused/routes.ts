// An app with a route for each part of a request. It runs on other run times than Node, too.
import type { App } from '../harness/app-shape.ts'

const id = { type: 'integer' }
export const object = {
  type: 'object',
  properties: { id, name: { type: 'string' }, inner: { type: 'object' } },
}
export const JSON_TYPE = 'application/json'
export const FORM = 'application/x-www-form-urlencoded'

/** Adds the routes. Their handlers count their calls. */
export function addRoutes(app: Pick<App, 'get' | 'post'>): { calls: number } {
  const seen = { calls: 0 }
  const handler = (request: { body: unknown; query: unknown; params: unknown }): object => {
    seen.calls += 1
    return { body: request.body ?? null, query: request.query, params: request.params }
  }
  const content = {
    [JSON_TYPE]: { schema: object },
    [FORM]: { schema: object },
    'text/plain': { schema: { type: 'string' } },
  }
  app.post('/', { schema: { body: { content } } }, handler)
  app.get('/query', { schema: { querystring: object } }, handler)
  app.get('/path/:id', { schema: { params: object } }, handler)
  app.get('/name/:name', { schema: { params: object } }, handler)
  app.get('/header', { schema: { headers: object } }, handler)
  return seen
}
