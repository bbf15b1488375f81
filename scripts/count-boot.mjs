// Prints how many function calls the boot of one more route takes, in our packages and their dependencies: of a route
// with params, query, body and two responses, with texts of its own and references to shared schemas.
import cloister from 'cloister'
import { CallCounter, totalOf } from './lib/call-counter.mjs'

const FEW = 20
const MANY = 120

const shared = {
  $id: 'money',
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'number' }, currency: { type: 'string', enum: ['EUR', 'GBP'] } },
}

/** @param {number} index @returns {Record<string, unknown>} */
function schemasOf(index) {
  const thing = {
    type: 'object',
    required: ['name'],
    properties: {
      [`field${index}`]: { type: 'string' },
      name: { type: 'string', minLength: 1, maxLength: 80 + index },
      price: { $ref: 'money#' },
      active: { type: 'boolean', default: true },
      kind: { type: 'string', enum: ['small', 'large'] },
      createdAt: { type: 'string', format: 'date-time' },
      parts: { type: 'array', maxItems: 50, items: { $ref: 'money#' } },
    },
  }
  return {
    params: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: index } } },
    querystring: {
      type: 'object',
      properties: { page: { type: 'integer', default: 1, maximum: 100 + index } },
    },
    body: thing,
    response: { 200: thing, 404: { type: 'object', properties: { error: { type: 'string' } } } },
  }
}

/** @param {number} routes */
async function boot(routes) {
  const app = cloister()
  app.addSchema(shared)
  for (let index = 0; index < routes; index++) {
    app.post(`/things${index}/:id`, { schema: schemasOf(index) }, async () => ({ name: 'a thing' }))
  }
  await app.ready()
  return app
}

/** @param {CallCounter} counter @param {number} routes */
async function callsOf(counter, routes) {
  await counter.take()
  const app = await boot(routes)
  const files = (await counter.take()).filter(({ file }) => !file.startsWith(import.meta.dirname))
  await app.close()
  return files
}

const counter = new CallCounter()
await counter.start()
// The first app of a process also loads modules.
await callsOf(counter, FEW)
const few = totalOf(await callsOf(counter, FEW)).calls
const detail = await callsOf(counter, MANY)
await counter.stop()

const calls = Math.round((totalOf(detail).calls - few) / (MANY - FEW))
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ calls }))
} else {
  const functions = detail.flatMap(({ functions: one }) => one).sort((a, b) => b.calls - a.calls)
  for (const { name, calls: count } of functions.slice(0, 40)) {
    console.log(`${(count / MANY).toFixed(1).padStart(7)}  ${name}`)
  }
  console.log(`one more route: ${calls} calls`)
}
