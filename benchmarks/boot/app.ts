/**
 * The application of the boot benchmark, said once for every subject.
 *
 * Each route has params, a query string, a body and three response codes, and refers to three shared schemas.
 * The content of every schema differs from route to route, as in a real application: nothing is gained by
 * compiling the same text once.
 */

/** What the benchmark needs of a framework. */
export interface Host {
  addSchema(schema: object): unknown
  route(options: {
    readonly method: 'POST'
    readonly url: string
    readonly schema?: object
    readonly handler: (
      request: { readonly body: unknown },
      reply: { send(payload: unknown): unknown },
    ) => void
  }): unknown
  register(plugin: (host: Host, options: object, done: () => void) => void): unknown
}

/**
 * Where the routes live: all in the root; spread over 50 contexts; over 50 contexts of which each adds a schema
 * of its own; all in the root without any schema.
 */
export const layouts = ['root', 'contexts', 'contexts-own-schema', 'no-schema'] as const

/** The name of a layout. */
export type Layout = (typeof layouts)[number]

/** Whether a word given on the command line names a layout. */
export function isLayout(word: string): word is Layout {
  return layouts.some((layout) => layout === word)
}

/** How many contexts the layouts with contexts have. */
export const contextCount = 50

/** Defines `routes` routes in a layout. */
export function defineApp(host: Host, routes: number, layout: Layout): void {
  for (const schema of sharedSchemas()) host.addSchema(schema)
  if (layout === 'root' || layout === 'no-schema') {
    for (let index = 0; index < routes; index += 1) defineRoute(host, index, layout)
    return
  }
  for (let context = 0; context < contextCount; context += 1) {
    host.register((child, _options, done) => {
      if (layout === 'contexts-own-schema') child.addSchema(ownSchema(context))
      for (let index = context; index < routes; index += contextCount) defineRoute(child, index, layout)
      done()
    })
  }
}

/** The address of a route with the parts that make its request valid. */
export function requestFor(index: number): { method: 'POST'; url: string; payload: object } {
  return {
    method: 'POST',
    url: `/things${index}/41/parts/wheel?page=2&limit=10&sort=name&tags=a&tags=b`,
    payload: {
      [`field${index}`]: 'yes',
      name: 'A thing',
      price: { amount: 12.5, currency: 'EUR' },
      address: { street: 'Long Lane 1', city: 'Ely', country: 'GB' },
      items: [{ sku: 'a1', quantity: 2, price: { amount: 1, currency: 'EUR' } }],
      active: true,
      createdAt: '2024-05-06T07:08:09Z',
    },
  }
}

function defineRoute(host: Host, index: number, layout: Layout): void {
  host.route({
    method: 'POST',
    url: `/things${index}/:id/parts/:part`,
    ...(layout === 'no-schema' ? {} : { schema: schemasFor(index) }),
    handler: (request, reply) => {
      reply.send(request.body)
    },
  })
}

function schemasFor(index: number): object {
  const thing = {
    [`field${index}`]: { type: 'string' },
    name: { type: 'string', minLength: 1, maxLength: 80 + index },
    note: { type: 'string', maxLength: 500 },
    price: { $ref: 'money#' },
    address: { $ref: 'address#' },
    items: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        properties: {
          sku: { type: 'string' },
          quantity: { type: 'integer', minimum: 1 },
          price: { $ref: 'money#' },
        },
        required: ['sku', 'quantity'],
      },
    },
    active: { type: 'boolean', default: true },
    score: { type: 'number', minimum: 0, maximum: 100 },
    createdAt: { type: 'string', format: 'date-time' },
    kind: { type: 'string', enum: ['small', 'medium', 'large'] },
  }
  return {
    params: {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1, maximum: 1_000_000 + index },
        part: { type: 'string' },
      },
      required: ['id', 'part'],
    },
    querystring: {
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1, default: 1, maximum: 10_000 + index },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        sort: { type: 'string', enum: ['name', 'price', 'createdAt'] },
        tags: { type: 'array', items: { type: 'string' } },
        active: { type: 'boolean' },
        q: { type: 'string', maxLength: 100 },
      },
    },
    body: { type: 'object', properties: thing, required: [`field${index}`, 'name', 'price'] },
    response: {
      200: { type: 'object', properties: { id: { type: 'integer' }, ...thing } },
      400: { $ref: 'error#' },
      '5xx': {
        type: 'object',
        properties: { error: { $ref: 'error#' }, [`trace${index}`]: { type: 'string' } },
      },
    },
  }
}

function sharedSchemas(): object[] {
  return [
    {
      $id: 'money',
      type: 'object',
      properties: { amount: { type: 'number' }, currency: { type: 'string', minLength: 3, maxLength: 3 } },
      required: ['amount', 'currency'],
    },
    {
      $id: 'address',
      type: 'object',
      properties: {
        street: { type: 'string' },
        city: { type: 'string', minLength: 1 },
        country: { type: 'string', minLength: 2, maxLength: 2 },
        zip: { type: 'string' },
      },
      required: ['street', 'city', 'country'],
    },
    {
      $id: 'error',
      type: 'object',
      properties: { statusCode: { type: 'integer' }, code: { type: 'string' }, message: { type: 'string' } },
    },
  ]
}

function ownSchema(context: number): object {
  return { $id: `own${context}`, type: 'object', properties: { [`own${context}`]: { type: 'string' } } }
}
