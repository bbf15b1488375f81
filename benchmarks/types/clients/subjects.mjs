// One app for every typed client: each route has a parameter, a query with a default, a body with an optional list,
// and two replies. No two routes have the same schema. The calls read both replies where the client knows them.

/**
 * @typedef {object} Subject
 * @property {string} name
 * @property {(routes: number, folder: string) => Promise<Readonly<Record<string, string>>>} files what the project of a
 *   user has, by file name; `calls.ts` is what is checked
 */

/** @param {number} index */
const properties = (index) => ({
  query: { limit: { type: 'integer', default: 10 }, [`q${index}`]: { type: 'string' } },
  body: {
    name: { type: 'string' },
    [`age${index}`]: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  reply: { id: { type: 'integer' }, name: { type: 'string' }, [`n${index}`]: { type: 'string' } },
})

/** @param {object} all @param {readonly string[]} required */
const object = (all, required) => ({ type: 'object', properties: all, required })

/** @param {number} index */
function schemaOf(index) {
  const { query, body, reply } = properties(index)
  return {
    params: object({ id: { type: 'integer' } }, ['id']),
    querystring: object(query, ['limit']),
    body: object(body, ['name']),
    response: {
      200: object(reply, ['id', 'name']),
      404: object({ message: { type: 'string' } }, ['message']),
    },
  }
}

/** @param {number} index */
const zodOf = (index) => `{
  query: z.object({ limit: z.coerce.number().default(10), q${index}: z.string().optional() }),
  body: z.object({ name: z.string(), age${index}: z.number().optional(), tags: z.array(z.string()).optional() }),
  reply: z.object({ id: z.number(), name: z.string(), n${index}: z.string().optional() }),
}`

/** @param {number} routes @param {(index: number) => string} write */
function each(routes, write) {
  return Array.from({ length: routes }, (_, index) => write(index)).join('\n')
}

const CALLS = 100

/** Calls of every so many routes. @param {number} routes @param {(index: number) => string} body */
function calls(routes, body) {
  const step = Math.max(1, Math.floor(routes / CALLS))
  return each(Math.min(routes, CALLS), (call) => {
    const index = call * step
    return `export async function call${index}() {\n${body(index)}\n  return 0\n}`
  })
}

/** An app of Cloister, as its users write it. @param {number} routes */
async function cloisterApp(routes) {
  const { cloister } = await import('cloister')
  const app = cloister()
  for (let index = 0; index < routes; index++)
    app.post(`/r${index}/:id`, { schema: schemaOf(index) }, () => ({ id: 1, name: 'x' }))
  await app.ready()
  return app
}

/** @type {Subject} */
const cloisterClient = {
  name: 'cloister types + @cloister/client',
  files: async (routes, folder) => {
    const schemas = JSON.stringify(Array.from({ length: routes }, (_, index) => schemaOf(index)))
    const app = `import { cloister } from 'cloister'
export const app = cloister()
for (const [index, schema] of ${schemas}.entries())
  app.post('/r' + index + '/:id', { schema }, () => ({ id: 1, name: 'x' }))
`
    const { mkdirSync, readFileSync, writeFileSync } = await import('node:fs')
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/app.mjs`, app)
    const { run } = await import('@cloister/cli')
    const { code, errors } = await run(['types', '--app', 'app.mjs'], folder)
    if (code !== 0) throw new Error(errors)
    return {
      'api.d.ts': readFileSync(`${folder}/api.d.ts`, 'utf8'),
      'calls.ts': `import { client } from '@cloister/client'
import type { Api } from './api.d.ts'
const api = client<Api>('http://localhost')
${calls(
  routes,
  (
    index,
  ) => `  const reply = await api('POST /r${index}/:id', { params: { id: 1 }, query: { q${index}: 'x' }, body: { name: 'x' } })
  if (reply.status === 200) return reply.body.name.length
  if (reply.status === 404) return reply.body.message.length`,
)}
`,
    }
  },
}

/** It is installed with the other clients, and only there. */
async function importOpenApiTypescript() {
  const name = 'openapi-typescript'
  /** @typedef {{ default(document: string): Promise<object>, astToString(ast: object): string }} OpenApiTypescript */
  return /** @type {OpenApiTypescript} */ (await import(name))
}

/** @type {Subject} */
const openApiFetch = {
  name: 'openapi-typescript + openapi-fetch',
  files: async (routes) => {
    const { openApiDocument } = await import('@cloister/openapi')
    const { default: openapiTypescript, astToString } = await importOpenApiTypescript()
    const app = await cloisterApp(routes)
    const document = openApiDocument(app, { info: { title: 'app', version: '1.0.0' } })
    await app.close()
    return {
      'paths.d.ts': astToString(await openapiTypescript(JSON.stringify(document))),
      'calls.ts': `import createClient from 'openapi-fetch'
import type { paths } from './paths.d.ts'
const client = createClient<paths>({ baseUrl: 'http://localhost' })
${calls(
  routes,
  (
    index,
  ) => `  const { data, error } = await client.POST('/r${index}/{id}', { params: { path: { id: 1 }, query: { q${index}: 'x' } }, body: { name: 'x' } })
  if (data) return data.name.length
  if (error && 'message' in error) return error.message.length`,
)}
`,
    }
  },
}

/** @type {Subject} */
const trpc = {
  name: 'tRPC',
  files: async (routes) => ({
    'server.ts': `import { initTRPC } from '@trpc/server'
import { z } from 'zod'
const t = initTRPC.create()
${each(routes, (index) => `const s${index} = ${zodOf(index)}`)}
export const router = t.router({
${each(
  routes,
  (index) =>
    `  r${index}: t.procedure.input(s${index}.body.extend({ id: z.number() })).output(s${index}.reply).mutation(({ input }) => ({ id: input.id, name: input.name })),`,
)}
})
`,
    'calls.ts': `import { createTRPCClient, httpLink } from '@trpc/client'
import type { router } from './server.ts'
const client = createTRPCClient<typeof router>({ links: [httpLink({ url: 'http://localhost' })] })
${calls(
  routes,
  (index) => `  const reply = await client.r${index}.mutate({ id: 1, name: 'x' })
  if (reply) return reply.name.length`,
)}
`,
  }),
}

/** @type {Subject} */
const hono = {
  name: 'Hono RPC',
  files: async (routes) => ({
    'server.ts': `import { Hono } from 'hono'
import { zValidator } from '@hono/zod-validator'
import { z } from 'zod'
${each(routes, (index) => `const s${index} = ${zodOf(index)}`)}
export const app = new Hono()
${each(
  routes,
  (index) =>
    `  .post('/r${index}/:id', zValidator('query', s${index}.query), zValidator('json', s${index}.body), (c) => c.req.param('id') === '9' ? c.json({ message: 'none' }, 404) : c.json({ id: 1, name: c.req.valid('json').name }, 200))`,
)}
`,
    'calls.ts': `import { hc } from 'hono/client'
import type { app } from './server.ts'
const client = hc<typeof app>('http://localhost')
${calls(
  routes,
  (
    index,
  ) => `  const reply = await client.r${index}[':id'].$post({ param: { id: '1' }, query: { q${index}: 'x' }, json: { name: 'x' } })
  if (reply.status === 200) return (await reply.json()).name.length
  if (reply.status === 404) return (await reply.json()).message.length`,
)}
`,
  }),
}

export const subjects = [cloisterClient, openApiFetch, trpc, hono]
