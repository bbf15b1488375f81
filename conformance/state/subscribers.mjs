// Measures one process with many subscribers of a topic: bytes for each, and CPU from publish to receive.
// With the port of a Redis server, beside the bare client.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { loadavg } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryState, redisState } from '@cloister/state'
import { topics } from '@cloister/state/topics'
import { cloister, sse } from 'cloister'
import { Redis } from 'ioredis'

const SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const RESPONSE = { 200: { content: { 'text/event-stream': { schema: SCHEMA } } } }
const BATCH = 100
const [role, argument] = process.argv.slice(2)

if (role === 'serve') await serve()
else {
  await measureMemory(Number(role ?? 10_000))
  if (argument !== undefined) await measureCpu(Number(argument), 20_000)
}

async function serve() {
  const app = await cloister().register(topics, { state: memoryState() })
  const numbers = app.topic('numbers', { schema: SCHEMA })
  app.get('/', { schema: { response: RESPONSE } }, async function* ({ lastEventId, signal }) {
    for await (const event of numbers.subscribe({}, { after: lastEventId, signal })) yield sse(event)
  })
  process.on('message', async (message) => {
    if (message === 'publish') await numbers.publish({}, { n: 1 })
    for (let count = 0; count < 3; count++) {
      globalThis.gc()
      await sleep(100)
    }
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send({ heapUsed, external, rss })
  })
  process.send(await app.listen({ port: 0, host: '127.0.0.1' }))
}

/** Opens event streams, and compares the memory of their process before and with them. */
async function measureMemory(count) {
  const child = fork(import.meta.filename, ['serve'], { execArgv: ['--expose-gc'] })
  const [origin] = await once(child, 'message')
  const { port } = new URL(origin)
  const ask = async (message) => {
    child.send(message)
    const [memory] = await once(child, 'message')
    return memory
  }
  // What the first ones load stays.
  const sockets = await openStreams(port, 100)
  const before = await ask('measure')
  while (sockets.length < count + 100) sockets.push(...(await openStreams(port, 100)))
  const after = await ask('measure')
  const received = Promise.all(sockets.map((socket) => whenRead(socket, 'data: {"n":1}')))
  await ask('publish')
  await received
  const each = Object.fromEntries(
    Object.keys(after).map((key) => [key, Math.round((after[key] - before[key]) / count)]),
  )
  print({ subscribers: count, bytesEach: each })
  child.kill()
  for (const socket of sockets) socket.destroy()
}

async function openStreams(port, count) {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  await Promise.all(
    sockets.map((socket) => {
      socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
      return whenRead(socket, '\nid: ')
    }),
  )
  return sockets
}

/** Resolves when a socket has read a text. */
function whenRead(socket, text) {
  return new Promise((resolve, reject) => {
    let all = ''
    const onData = (bytes) => {
      all += bytes
      if (!all.includes(text)) return
      socket.off('data', onData)
      resolve()
    }
    socket.on('data', onData).once('error', reject)
  })
}

/** Sends messages one behind another, by a topic and by the client alone. */
async function measureCpu(port, count) {
  const writer = new Redis(port)
  const reader = new Redis(port)
  const state = redisState(writer)
  const app = await cloister().register(topics, { state })
  app.addHook('onClose', () => state.close())
  const numbers = app.topic('cpu', { schema: SCHEMA })
  await app.ready()
  for (let round = 1; round <= 3; round++) {
    const bare = await cpuOf(() => sendBare(writer, reader, count))
    const topic = await cpuOf(() => sendTopic(numbers, count))
    print({ round, messages: count, microsecondsEach: { bare: bare / count, topic: topic / count } })
  }
  await app.close()
  writer.disconnect()
  reader.disconnect()
}

async function cpuOf(work) {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

async function sendBare(writer, reader, count) {
  const log = `bare:${Math.random()}`
  const read = async () => {
    let last = '0'
    for (let got = 0; got < count;) {
      const [[, entries]] = (await reader.xread('COUNT', 100, 'BLOCK', 0, 'STREAMS', log, last)) ?? [
        [null, []],
      ]
      for (const [, [, text]] of entries) JSON.parse(text)
      got += entries.length
      last = entries.at(-1)?.[0] ?? last
    }
  }
  const write = (n) => writer.xadd(log, 'MAXLEN', '~', 1000, '*', 'v', JSON.stringify({ n }))
  await Promise.all([read(), sendAll(write, count)])
}

async function sendTopic(topic, count) {
  const events = topic.subscribe({})
  await events.next()
  const read = async () => {
    for (let got = 0; got < count;) {
      const { value } = await events.next()
      if (value.event === 'gap') throw new Error('the reader was too slow')
      if (value.event === 'message') got += 1
    }
    await events.return()
  }
  await Promise.all([read(), sendAll((n) => topic.publish({}, { n }), count)])
}

async function sendAll(send, count) {
  for (let sent = 0; sent < count; sent += BATCH)
    await Promise.all(Array.from({ length: BATCH }, (_, index) => send(sent + index)))
}

function print(result) {
  console.log(JSON.stringify({ ...result, load: loadavg()[0] }))
}
