// The call budget of the request path: how many files and function calls one request passes through, in our packages
// and their dependencies (without Node's own code and the handler). Prints a table, or with `--json` the figures.
// Runs against the built packages over a real socket: over node:http with all code generated, and with the defaults of an
// app, which are the engine (whose parser is counted; that of Node is not) and schemas that are compiled on demand.
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import cloister from 'cloister'
import { CallCounter, GENERATED, totalOf } from './lib/call-counter.mjs'
import { repository } from './lib/run.mjs'

/** @typedef {import('./lib/call-counter.mjs').FileCalls} FileCalls */
/**
 * @typedef {object} Count
 * @property {string} request
 * @property {'node:http' | 'defaults'} lane
 * @property {{ files: number, calls: number }} core in the framework itself, without the schema engine
 * @property {{ files: number, calls: number }} own in our packages, with the code that they generate
 * @property {{ files: number, calls: number }} all in our packages and their dependencies
 * @property {readonly FileCalls[]} detail
 */

/** A serializer measures its first 32 outputs before it chooses a back end. */
const WARM_UP = 40

const book = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
}

const body = JSON.stringify({ id: 2, title: 'Flatland' })
const requests = {
  'GET with params and response schema': 'GET /books/1 HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'POST with body schema': post('/books'),
  'POST with params, body and response schema': post('/shelves/1'),
}

/** @param {string} target */
function post(target) {
  return `POST ${target} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** Over node:http everything is compiled at once, and to code: no other work runs during a counted request.
 * @type {Readonly<Record<Count['lane'], import('cloister').CloisterOptions>>} */
const LANES = {
  'node:http': { transport: 'node', schemaCompilation: 'eager', codeGeneration: 'always' },
  defaults: {},
}

/** @param {Count['lane']} lane */
async function startServer(lane) {
  const app = cloister(LANES[lane])
  const params = { type: 'object', properties: { id: { type: 'integer' } } }
  app.get(
    '/books/:id',
    {
      schema: {
        params,
        response: { 200: book },
      },
    },
    async () => ({ id: 1, title: 'Flatland' }),
  )
  app.post('/books', { schema: { body: book } }, async (request) => request.body)
  app.post(
    '/shelves/:id',
    { schema: { params, body: book, response: { 200: book } } },
    async (request) => request.body,
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { app, port: address.port }
}

/** Sends a request and waits until the response has arrived and the server has finished all work for it.
 * @param {net.Socket} socket @param {string} request */
async function send(socket, request) {
  socket.write(request)
  const response = String((await once(socket, 'data'))[0])
  if (!response.startsWith('HTTP/1.1 200'))
    throw new Error(`the request has no response with status 200:\n${response}`)
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Counts several requests and keeps the lowest count: timers and the garbage collector may run during any of them.
 * @param {CallCounter} counter @param {() => Promise<void>} request @returns {Promise<FileCalls[]>} */
async function countLeast(counter, request) {
  /** @type {FileCalls[] | undefined} */
  let least
  for (let round = 0; round < 5; round++) {
    await request()
    const detail = (await counter.take()).filter(({ file }) => !file.startsWith(import.meta.dirname))
    if (least === undefined || totalOf(detail).calls < totalOf(least).calls) least = detail
  }
  return least ?? []
}

/** @param {Count['lane']} lane @returns {Promise<Count[]>} */
async function count(lane) {
  const counter = new CallCounter()
  await counter.start()
  const { app, port } = await startServer(lane)
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  /** @type {Count[]} */
  const counts = []
  for (const [request, text] of Object.entries(requests)) {
    for (let round = 0; round < WARM_UP; round++) await send(socket, text)
    await counter.take()
    const detail = await countLeast(counter, () => send(socket, text))
    const packages = path.join(repository, 'packages') + path.sep
    const own = detail.filter(({ file }) => file.startsWith(packages) && !file.includes('node_modules'))
    const core = own.filter(({ file }) => file.startsWith(path.join(packages, 'cloister') + path.sep))
    counts.push({ request, lane, core: totalOf(core), own: totalOf(own), all: totalOf(detail), detail })
  }
  socket.destroy()
  await app.close()
  await counter.stop()
  return counts
}

/** @param {Count} counted */
function print({ request, lane, core, own, all, detail }) {
  console.log(`\n${request} (${lane})`)
  for (const { file, calls, functions } of detail) {
    const name = file === GENERATED ? file : path.relative(repository, file)
    console.log(
      `  ${String(calls).padStart(3)}  ${name}  ${functions.map((one) => `${one.name}×${one.calls}`).join(' ')}`,
    )
  }
  console.log(`  the framework alone:    ${core.files} files, ${core.calls} calls`)
  console.log(`  our packages:           ${own.files} files, ${own.calls} calls`)
  console.log(`  with their dependencies: ${all.files} files, ${all.calls} calls`)
}

const counts = [...(await count('node:http')), ...(await count('defaults'))]
if (process.argv.includes('--json')) console.log(JSON.stringify(counts))
else for (const counted of counts) print(counted)
