// Many open event streams and sockets: memory of each, and CPU time per message.
//
//   npm install --prefix FOLDER @fastify/websocket fastify hono @hono/node-server
//   node benchmarks/streams/run.mjs FOLDER [connections] [rounds] [name]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
const COUNT = Number(process.argv[3] ?? 10_000)
const ROUNDS = Number(process.argv[4] ?? 20)
const here = new URL('./serve.mjs', import.meta.url)
const NAMES = process.argv[5]
  ? [process.argv[5]]
  : [
      'events, Cloister',
      'events, Cloister on node:http',
      'events, Hono streamSSE',
      'sockets, Cloister',
      'sockets, @fastify/websocket',
    ]
for (const name of NAMES) {
  const child = fork(here, [name, path.resolve(process.argv[2] ?? '.')], { execArgv: ['--expose-gc'] })
  const ask = async (...message) => {
    child.send(message)
    const [reply] = await once(child, 'message')
    return reply
  }
  const [port] = await once(child, 'message')
  const upgrade = name.startsWith('sockets')
    ? 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    : ''
  const sockets = []
  let bytes = 0
  const open = async (count) => {
    for (let left = count; left > 0; left -= 200) {
      const batch = Math.min(left, 200)
      await Promise.all(
        Array.from({ length: batch }, async () => {
          const socket = net.connect(port, '127.0.0.1')
          sockets.push(socket)
          await once(socket, 'connect')
          socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n`)
          socket.on('data', (chunk) => {
            bytes += chunk.length
          })
        }),
      )
    }
    await ask('whenAllWait', sockets.length)
  }
  await open(100)
  await ask('rounds', sockets.length, 20)
  const before = await ask('memory')
  await open(COUNT)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const after = await ask('memory')
  await ask('rounds', sockets.length, 3)
  const cpu = await ask('rounds', sockets.length, ROUNDS)
  const each = (key) => Math.round((after[key] - before[key]) / COUNT)
  console.log(
    JSON.stringify({
      name,
      connections: sockets.length,
      heap: each('heapUsed'),
      external: each('external'),
      rss: each('rss'),
      user: cpu.user.toFixed(2),
      system: cpu.system.toFixed(2),
      bytes,
    }),
  )
  for (const socket of sockets) socket.destroy()
  child.kill()
  await once(child, 'exit')
}
