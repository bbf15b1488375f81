import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { certificate } from '../harness/certificate.ts'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { codeOf, create, post, probe, statusOf, textOf, wait } from './probe.ts'
import type { Given, Probes } from './probe.ts'

const GET = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0'
const hello = (given: Given): App => create(given).get('/', () => 'ok')
const rawStatus = async (app: App, bytes = GET): Promise<number> => (await rawSocket(app, bytes)).status

/** A member of Node's server, which limits connections by it. */
const serverHas = (name: string) => (given: Given) =>
  Reflect.get(create({ transport: 'node', ...given }).server, name)

/** Whether the server closes a connection: for the option under test there is time, for its default there is not. */
async function isClosed(socket: Socket, given: Given): Promise<boolean> {
  const patience = Object.keys(given).length > 0 ? 10_000 : 300
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  socket.on('error', () => undefined)
  const found = await Promise.race([closed, wait(patience).then(() => false)])
  socket.destroy()
  return found
}

/** Opens a connection whose request is not finished, closes the app, and says whether the connection ends. */
async function endsAtClose(given: Given, base: Given): Promise<boolean> {
  const app = create({ ...base, ...given })
  let release = (): void => undefined
  const arrived = new Promise<void>((begun) => {
    app.get('/', () => {
      begun()
      return new Promise((resolve) => (release = () => resolve('ok')))
    })
  })
  const socket = await openSocket(app)
  socket.resume().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await arrived
  const closing = app.close()
  const found = await isClosed(socket, given)
  release()
  await closing
  return found
}

export const connections: Probes = {
  http: probe({ maxHeaderSize: 1024 }, 200, 431, (given) =>
    rawStatus(
      hello(given),
      `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx: ${'x'.repeat(4000)}\r\n\r\n`,
    ),
  ),
  https: probe(certificate(), 'http', 'https', async (given) => {
    const address = await hello(given).listen({ port: 0 })
    return address.split(':')[0]
  }),
  // The type of the first frame, SETTINGS.
  http2: probe(true, 'P'.charCodeAt(0), 4, async (given) => {
    const { text } = await rawSocket(hello(given), PREFACE, { until: /^[^]{9}/ })
    return text.charCodeAt(3)
  }),
  http2SessionTimeout: probe(50, false, true, async (given) => {
    const socket = await openSocket(hello({ http2: true, ...given }))
    socket.resume().write(PREFACE)
    return isClosed(socket, given)
  }),
  transport: probe('node', 'wire', 'node', (given) => hello(given).transport.name),
  connectionTimeout: probe(1234, 0, 1234, serverHas('timeout')),
  keepAliveTimeout: probe(1234, 72_000, 1234, serverHas('keepAliveTimeout')),
  headersTimeout: probe(1234, 10_000, 1234, serverHas('headersTimeout')),
  requestTimeout: probe(12_345, 300_000, 12_345, serverHas('requestTimeout')),
  writeTimeout: probe(50, false, true, async (given) => {
    const app = create(given).get('/', () => Buffer.alloc(64 * 1024 * 1024))
    const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
    const client = await openSocket(app)
    client.pause().write(GET)
    const found = await isClosed(await accepted, given)
    client.destroy()
    return found
  }),
  maxHeadersCount: probe(2, 200, 431, (given) =>
    rawStatus(hello(given), GET.replace('Host', 'a: 1\r\nb: 2\r\nHost')),
  ),
  maxRequestsPerSocket: probe(1, 2, 1, async (given) => {
    const one = GET.replace('close', 'keep-alive')
    const { statuses } = await rawSocket(hello(given), `${one}${GET}`)
    return statuses.filter((status) => status === 200).length
  }),
  forceCloseConnections: probe(true, false, true, (given) => endsAtClose(given, {})),
  closeGraceMs: probe(50, false, true, (given) => endsAtClose(given, {})),
  return503OnClosing: probe(false, 503, 200, async (given) => {
    const app = hello(given)
    let release = (): void => undefined
    const closes = new Promise<void>((begun) => {
      app.addHook('preClose', () => {
        begun()
        return new Promise<void>((resolve) => (release = resolve))
      })
    })
    const socket = await openSocket(app)
    const closing = app.close()
    await closes
    const head = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
    socket.write(GET)
    const status = Number((await head).slice(9, 12))
    release()
    socket.destroy()
    await closing
    return status
  }),
  serverFactory: probe(
    (handler: RequestListener) => Object.assign(createServer(handler), { made: 'here' }),
    undefined,
    'here',
    serverHas('made'),
  ),
  clientErrorHandler: probe(
    (_error: unknown, socket: Socket) => void socket.end('HTTP/1.1 418 mine\r\n\r\n'),
    400,
    418,
    (given) => rawStatus(hello(given), 'nonsense\r\n\r\n'),
  ),
  trustProxy: probe(true, '127.0.0.1', '10.1.2.3', (given) =>
    textOf(
      create(given).get('/', ({ ip }) => ip),
      { url: '/', headers: { 'x-forwarded-for': '10.1.2.3' } },
    ),
  ),
}

const EVENTS = { 'text/event-stream': { schema: { type: 'object' } } }

export const timeouts: Probes = {
  pluginTimeout: probe(20, 'none', 'CLO_ERR_PLUGIN_TIMEOUT', (given) =>
    codeOf(() =>
      create(given)
        .register(() => wait(400))
        .ready(),
    ),
  ),
  handlerTimeout: probe(20, 200, 503, (given, route) =>
    statusOf(create(given).get('/', route, () => wait(400).then(() => 'late'))),
  ),
  heartbeatMs: probe(20, false, true, async (given, route) => {
    const schema = { response: { 200: { content: EVENTS } } }
    const text = await textOf(
      create(given).get('/', { ...route, schema }, async function* () {
        yield { n: 1 }
        await wait(400)
        yield { n: 2 }
      }),
    )
    return text.includes(':\n\n')
  }),
  unsentReply: probe('continue', 'sent later', 'continued', (given) =>
    textOf(
      create(given).get('/', async (_request: Request, reply: Reply) => {
        const helper = async (): Promise<Reply> => reply
        setTimeout(() => {
          if (!reply.sent) reply.send('sent later')
        }, 50)
        await helper()
        return 'continued'
      }),
    ),
  ),
}

export const preset: Probes = {
  strict: probe(true, 200, 400, (given) => {
    const body = { type: 'object', properties: { n: { type: 'integer' } } }
    return statusOf(
      create(given).post('/', { schema: { body, response: { 200: { type: 'string' } } } }, () => 'ok'),
      post('{"n":"1"}'),
    )
  }),
}
