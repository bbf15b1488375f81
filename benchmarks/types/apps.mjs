// Apps of any number of routes, the same in every framework: parameters, a query with a default, a body with an
// optional list, and two replies; the handler reads all of them. No two routes have the same schema.

/**
 * @typedef {'chain' | 'plugins'} Style one chain of calls, or plugins of ten routes each
 * @typedef {object} Framework
 * @property {string} name
 * @property {string} head imports, and whatever all routes share
 * @property {(index: number) => string} route the arguments of a `post` call
 * @property {(calls: readonly string[], style: Style) => string} app
 */

/** @param {number} i */
const jsonSchemas = (i) => `{
    params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    querystring: {
      type: 'object',
      properties: { limit: { type: 'integer', default: 10 }, q${i}: { type: 'string' } },
      required: ['limit'],
    },
    body: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        age${i}: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['name'],
    },
    response: {
      200: {
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string' }, n${i}: { type: 'string' } },
        required: ['id', 'name'],
      },
      404: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    },
  }`

/** @param {number} i */
const typeboxSchemas = (i) => `{
    params: Type.Object({ id: Type.Integer() }),
    querystring: Type.Object({ limit: Type.Integer({ default: 10 }), q${i}: Type.Optional(Type.String()) }),
    body: Type.Object({
      name: Type.String(),
      age${i}: Type.Optional(Type.Integer()),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
    response: {
      200: Type.Object({ id: Type.Integer(), name: Type.String(), n${i}: Type.Optional(Type.String()) }),
      404: Type.Object({ message: Type.String() }),
    },
  }`

/** @param {number} i */
const handler = (i) => `async (request, reply) => {
  if (request.query.limit > ${i}) return reply.code(404).send({ message: 'none' })
  return { id: request.params.id, name: request.body.name }
}`

/**
 * @param {readonly string[]} calls
 * @param {number} size
 */
function groups(calls, size = 10) {
  /** @type {string[][]} */
  const found = []
  for (let at = 0; at < calls.length; at += size) found.push(calls.slice(at, at + size))
  return found
}

/**
 * Apps whose plugins are functions given to `register`.
 *
 * @param {string} make
 * @param {(instance: string) => string} [typed] how a plugin gets its types
 * @returns {Framework['app']}
 */
export const registering =
  (make, typed = (instance) => instance) =>
  (calls, style) =>
    style === 'chain'
      ? `export const app = ${make}\n${calls.map((call) => `  .post(${call})`).join('\n')}\n`
      : `export const app = ${make}\n${groups(calls)
          .map((group, i) => {
            const body = group.map((call) => `  child.post(${call})`).join('\n')
            return `app.register(async (instance) => {\n  const child = ${typed('instance')}\n${body}\n}, { prefix: '/p${i}' })`
          })
          .join('\n')}\n`

/** @type {readonly Framework[]} */
export const frameworks = [
  {
    name: 'cloister, JSON Schema',
    head: `import { cloister } from 'cloister'\n`,
    route: (i) => `'/r${i}/:id', { schema: ${jsonSchemas(i)} }, ${handler(i)}`,
    app: registering('cloister()'),
  },
  {
    name: 'fastify 5, JSON Schema provider',
    head: `import fastify from 'fastify'\nimport type { JsonSchemaToTsProvider } from '@fastify/type-provider-json-schema-to-ts'\n`,
    route: (i) => `'/r${i}/:id', { schema: ${jsonSchemas(i)} }, ${handler(i)}`,
    app: registering(
      'fastify().withTypeProvider<JsonSchemaToTsProvider>()',
      (instance) => `${instance}.withTypeProvider<JsonSchemaToTsProvider>()`,
    ),
  },
  {
    name: 'cloister, TypeBox',
    head: `import { cloister } from 'cloister'\nimport { Type } from 'typebox'\n`,
    route: (i) => `'/r${i}/:id', { schema: ${typeboxSchemas(i)} }, ${handler(i)}`,
    app: registering('cloister()'),
  },
  {
    name: 'fastify 5, TypeBox provider',
    head: `import fastify from 'fastify'\nimport { Type } from 'typebox'\nimport type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'\n`,
    route: (i) => `'/r${i}/:id', { schema: ${typeboxSchemas(i)} }, ${handler(i)}`,
    app: registering(
      'fastify().withTypeProvider<TypeBoxTypeProvider>()',
      (instance) => `${instance}.withTypeProvider<TypeBoxTypeProvider>()`,
    ),
  },
  {
    name: 'hono, Zod',
    head: `import { Hono } from 'hono'\nimport { zValidator } from '@hono/zod-validator'\nimport { z } from 'zod'\n`,
    route: (i) => `'/r${i}/:id',
  zValidator('param', z.object({ id: z.coerce.number() })),
  zValidator('query', z.object({ limit: z.coerce.number().default(10), q${i}: z.string().optional() })),
  zValidator('json', z.object({ name: z.string(), age${i}: z.number().optional(), tags: z.array(z.string()).optional() })),
  (c) => {
    if (c.req.valid('query').limit > ${i}) return c.json({ message: 'none' }, 404)
    return c.json({ id: c.req.valid('param').id, name: c.req.valid('json').name })
  }`,
    app: (calls, style) =>
      style === 'chain'
        ? `export const app = new Hono()\n${calls.map((call) => `  .post(${call})`).join('\n')}\n`
        : `${groups(calls)
            .map(
              (group, i) => `const p${i} = new Hono()\n${group.map((call) => `  .post(${call})`).join('\n')}`,
            )
            .join('\n')}\nexport const app = new Hono()\n${groups(calls)
            .map((_, i) => `  .route('/p${i}', p${i})`)
            .join('\n')}\n`,
  },
  {
    name: 'elysia, its own schemas',
    head: `import { Elysia, t } from 'elysia'\n`,
    route: (i) => `'/r${i}/:id', ({ params, query, body, status }) => {
  if (query.limit > ${i}) return status(404, { message: 'none' })
  return { id: params.id, name: body.name }
}, {
  params: t.Object({ id: t.Integer() }),
  query: t.Object({ limit: t.Integer({ default: 10 }), q${i}: t.Optional(t.String()) }),
  body: t.Object({ name: t.String(), age${i}: t.Optional(t.Integer()), tags: t.Optional(t.Array(t.String())) }),
  response: {
    200: t.Object({ id: t.Integer(), name: t.String(), n${i}: t.Optional(t.String()) }),
    404: t.Object({ message: t.String() }),
  },
}`,
    app: (calls, style) =>
      style === 'chain'
        ? `export const app = new Elysia()\n${calls.map((call) => `  .post(${call})`).join('\n')}\n`
        : `${groups(calls)
            .map(
              (group, i) =>
                `const p${i} = new Elysia({ prefix: '/p${i}' })\n${group.map((call) => `  .post(${call})`).join('\n')}`,
            )
            .join('\n')}\nexport const app = new Elysia()\n${groups(calls)
            .map((_, i) => `  .use(p${i})`)
            .join('\n')}\n`,
  },
]

/**
 * The text of an app.
 *
 * @param {Framework} framework
 * @param {number} routes
 * @param {Style} style
 */
export function appText(framework, routes, style) {
  const calls = Array.from({ length: routes }, (_, i) => framework.route(i))
  return framework.head + framework.app(calls, style)
}
