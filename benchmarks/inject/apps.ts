/** What `inject` of both frameworks takes and gives here. */
export type Inject = (
  request: InjectedCall,
) => Promise<{ readonly statusCode: number; readonly body: string }>

/** One call of `inject`. */
export interface InjectedCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly payload?: object
}

/** The part of an app that both frameworks have. */
export interface InjectHost {
  addHook(
    name: 'onRequest',
    hook: (request: { raw: object }, reply: unknown, done: () => void) => void,
  ): unknown
  get(path: string, options: object, handler: (request: { params: unknown }) => unknown): unknown
  post(path: string, options: object, handler: (request: { body: unknown }) => unknown): unknown
}

const user = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, email: { type: 'string' } },
}

/** The calls that are measured, by what they are, with the body that both frameworks send. */
export const calls: Readonly<Record<string, { readonly call: InjectedCall; readonly body: string }>> = {
  'GET with params and response schema': {
    call: { method: 'GET', url: '/users/42' },
    body: '{"id":42,"name":"Ada","email":"ada@example.com"}',
  },
  'POST with body schema': {
    call: { method: 'POST', url: '/users', payload: { name: 'Ada', age: 36, tags: ['a', 'b'] } },
    body: '{"name":"Ada","age":36,"tags":["a","b"]}',
  },
}

/**
 * Adds the routes.
 *
 * @param readsRaw - whether a hook reads `request.raw`, as some plugins do
 */
export function defineRoutes(app: InjectHost, readsRaw: boolean): void {
  if (readsRaw) app.addHook('onRequest', ({ raw }, _reply, done) => (raw === null ? undefined : done()))
  const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
  app.get('/users/:id', { schema: { params, response: { 200: user } } }, ({ params: given }) => ({
    ...Object(given),
    name: 'Ada',
    email: 'ada@example.com',
  }))
  const body = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1 },
      age: { type: 'integer', minimum: 0 },
      tags: { type: 'array', items: { type: 'string' } },
    },
  }
  app.post('/users', { schema: { body } }, ({ body: given }) => given)
}
