// The app behind the proxies, in a process of its own: `node app.mjs SUBJECT PORT OPTIONS`, with a channel to its parent.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { contentOf } from './content.mjs'
import { SUBJECTS } from './subjects.mjs'

/** Every proxy sets it: a request without it was never one of the proxy's. */
const MARK = 'x-through-proxy'
const PIECE = 16_384

const [, , subject = 'node', port = '0', given = '{}'] = process.argv
const { module, options } = SUBJECTS[subject]
const { isEncrypted = false, hasUpgrades = true, ...others } = JSON.parse(given)
const pem = (name) =>
  readFileSync(new URL(`../listen/fixtures/localhost-test-only.${name}.pem`, import.meta.url))
const https = isEncrypted ? { https: { key: pem('key'), cert: pem('cert') } } : {}
const { default: create } = createRequire(import.meta.url)(module)
const app = create({ ...options, ...https, bodyLimit: 64_000_000, forceCloseConnections: 'idle', ...others })
const figures = { connections: 0, resets: 0, unmarked: [] }

app.server.on('connection', (socket) => {
  figures.connections++
  socket.on('error', (error) => void (figures.resets += error.code === 'ECONNRESET' ? 1 : 0))
})
app.addHook('onRequest', (request, reply, done) => {
  if (request.headers[MARK] === undefined) figures.unmarked.push(`${request.method} ${request.url}`)
  reply.header('x-token', request.query.token ?? '')
  done()
})

/** An upload is read as a stream, and its hash is the content of the response. */
app.addContentTypeParser('application/x-upload', (_request, stream, done) => done(null, stream))
app.addContentTypeParser('application/x-buffer', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)

const sized = ({ query }) => contentOf(query.token, Number(query.size))

/** Which parser has read the request. */
app.get('/lane', (request, reply) => {
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error('here')
  const parser = stack.includes('parserOnHeadersComplete') ? 'the parser of Node' : 'the engine'
  return reply.send(`HTTP/${request.raw.httpVersion}, ${parser}`)
})

app.get('/bytes', (request, reply) => reply.type('application/octet-stream').send(sized(request)))

app.get('/stream', (request, reply) => {
  const content = sized(request)
  const pause = Number(request.query.pause ?? 0)
  /** A stream that fails cuts its response. */
  const end = Number(request.query.cut ?? content.length)
  const pieces = async function* () {
    for (let at = 0; at < end; at += PIECE) {
      yield content.subarray(at, Math.min(end, at + PIECE))
      if (pause > 0) await sleep(pause)
    }
    if (end < content.length) {
      await sleep(30)
      throw new Error('cut')
    }
  }
  return reply.type('application/octet-stream').send(Readable.from(pieces(), { objectMode: false }))
})

app.get('/events', (request, reply) => {
  const events = async function* () {
    for (let at = 0; at < Number(request.query.size); at++) {
      yield `data: ${request.query.token} ${at}\n\n`
      await sleep(40)
    }
  }
  return reply
    .header('x-accel-buffering', 'no')
    .header('cache-control', 'no-cache')
    .type('text/event-stream')
    .send(Readable.from(events(), { objectMode: false }))
})

app.post('/upload', async (request) => {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of request.body) {
    hash.update(piece)
    size += piece.length
  }
  return { size, hash: hash.digest('hex') }
})

const refuse = async (_request, reply) => reply.code(401).send('refused')
app.post('/refused', { onRequest: refuse }, async () => 'read')
app.post('/limited', { bodyLimit: 1000 }, async () => 'read')

/** Fastify has no early hints of its own, and Node sends them to clients of HTTP/1.0 too. */
app.get('/hints', (request, reply) => {
  const send = () => reply.type('application/octet-stream').send(contentOf(request.query.token, 100))
  const hints = { link: '</style.css>; rel=preload; as=style' }
  const writer = 'writeEarlyHints' in reply ? reply : reply.raw
  writer.writeEarlyHints(hints, () => setTimeout(send, 20))
})

const sockets = new WebSocketServer({ noServer: true })
const upgrade = (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('message', (message, isBinary) => client.send(message, { binary: isBinary }))
    client.on('error', () => {})
  })
}
if (hasUpgrades) app.server.on('upgrade', upgrade)

process.on('message', async (message) => {
  if (message === 'close') {
    for (const client of sockets.clients) client.terminate()
    await app.close()
  }
  process.send?.(figures)
  if (message === 'close') process.disconnect?.()
})
process.on('disconnect', () => process.exit())
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.({ port: app.server.address().port })
