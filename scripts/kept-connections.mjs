// `npm run coverage:connections`: how many bytes of heap a connection holds that had one request and is kept open, for a
// bare socket, `node:http`, the engine, and an app. Each server has a process of its own, and its clients another one.
// `--json` prints the figures only.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import net from 'node:net'
import { fileURLToPath } from 'node:url'

const COUNT = 2000
/** Clients connect in groups, so that none waits in the queue of the system. */
const GROUP = 50
const KEPT_MS = 600_000
const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'
const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const program = fileURLToPath(import.meta.url)

/** @param {import('cloister').CloisterOptions} options */
async function startApp(options) {
  const { default: cloister } = await import('cloister')
  const app = cloister({ keepAliveTimeout: KEPT_MS, ...options })
  app.get('/', { schema: { response: { 200: { type: 'object' } } } }, async () => ({}))
  await app.ready()
  return app.server
}

async function startEngine() {
  const { attach, Exchange } = await import('@cloister/wire')
  const server = createServer({ keepAliveTimeout: KEPT_MS }, (_request, response) => response.end('{}'))
  attach(server, (exchange) => void exchange.send(200, {}, '{}'), { Exchange })
  return server
}

/** @type {Readonly<Record<string, () => net.Server | Promise<net.Server>>>} */
const SERVERS = {
  'node:net': () => net.createServer((socket) => socket.on('data', () => socket.write(RESPONSE))),
  'node:http': () => createServer({ keepAliveTimeout: KEPT_MS }, (_request, response) => response.end('{}')),
  engine: startEngine,
  app: () => startApp({}),
  'app over node:http': () => startApp({ transport: 'node' }),
}

/** @param {number} port */
async function openOne(port) {
  const socket = net.connect(port, '127.0.0.1')
  socket.write(REQUEST)
  await once(socket, 'data')
}

/** Runs in the process of the clients. @param {number} port @param {number} count */
async function openAll(port, count) {
  for (let open = 0; open < count; open += GROUP) {
    await Promise.all(Array.from({ length: Math.min(GROUP, count - open) }, () => openOne(port)))
  }
  process.send?.('open')
}

/** @param {number} port @param {number} count */
async function startClients(port, count) {
  const clients = fork(program, ['clients', String(port), String(count)])
  const outcome = await Promise.race([once(clients, 'message'), once(clients, 'exit')])
  if (outcome[0] !== 'open') throw new Error('the clients got no response')
  return clients
}

/** The heap after all garbage has been collected, also what finalizers and timers have held. */
async function heapUsed() {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return process.memoryUsage().heapUsed
}

/** Runs in the process of a server. @param {string} name */
async function measure(name) {
  const server = await SERVERS[name]?.()
  if (server === undefined || globalThis.gc === undefined)
    throw new Error(`no server ${name}, or no --expose-gc`)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const first = await startClients(address.port, GROUP)
  first.kill()
  await once(first, 'exit')
  const before = await heapUsed()
  const clients = await startClients(address.port, COUNT)
  const after = await heapUsed()
  clients.kill()
  process.send?.(Math.round((after - before) / COUNT), () => process.exit())
}

/** @param {string} name @returns {Promise<number>} */
async function bytesOf(name) {
  const child = fork(program, ['server', name], { execArgv: [...process.execArgv, '--expose-gc'] })
  /** @type {number | undefined} */
  let bytes
  child.once('message', (message) => {
    bytes = Number(message)
  })
  await once(child, 'exit')
  if (bytes === undefined) throw new Error(`${name} was not measured`)
  return bytes
}

const [role, first = '', second = ''] = process.argv.slice(2)
if (role === 'clients') await openAll(Number(first), Number(second))
else if (role === 'server') await measure(first)
else {
  /** @type {Record<string, number>} */
  const bytes = {}
  for (const name of Object.keys(SERVERS)) bytes[name] = await bytesOf(name)
  if (role === '--json') console.log(JSON.stringify(bytes))
  else console.table(Object.entries(bytes).map(([server, kept]) => ({ server, bytes: kept })))
}
