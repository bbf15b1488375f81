// A server that runs out of file descriptors: it takes no connection for a while, and then goes on. The limit is that
// of the whole process, so this file has one of its own, and its clients another.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, it, vi } from 'vitest'
import { rawSocket } from '../harness/raw-socket.ts'
import { isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const CLIENTS = 80
const DESCRIPTORS_LEFT = 30
const FOLDER = '/proc/self/fd'
const hasLimit = spawnSync('prlimit', ['--version']).status === 0

/** Opens connections and leaves when told so; prints how many were closed on it until then. */
const CLIENT = `
const { connect } = require('node:net')
const [port, count] = process.argv.slice(1).map(Number)
let closed = 0
let settled = 0
const sockets = Array.from({ length: count }, () => {
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => { if (++settled === count) setTimeout(() => console.log('connected'), 100) })
  socket.on('error', () => {})
  socket.on('close', () => closed++)
  return socket
})
process.stdin.once('data', () => {
  console.log(closed)
  for (const socket of sockets) socket.destroy()
  process.stdin.destroy()
})
`

const limit = (most: string): void =>
  void execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${most}`])

describe.skipIf(isPeer || !hasLimit)('listen: too few file descriptors', () => {
  const createApp = useApps()

  it('cost some connections, and the server goes on after it', async () => {
    const app = createApp()
    app.get('/', () => 'served')
    await app.listen({ port: 0 })
    const address: AddressInfo = JSON.parse(JSON.stringify(app.server.address()))
    expect((await rawSocket(app, GET)).body).toBe('served')

    const client = spawn(process.execPath, ['-e', CLIENT, String(address.port), String(CLIENTS)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
    const before = execFileSync('prlimit', [
      '--pid',
      String(process.pid),
      '--nofile',
      '--noheadings',
      '-o',
      'SOFT',
    ])
    limit(`${readdirSync(FOLDER).length + DESCRIPTORS_LEFT}:`)
    const connected = await lines.next()
    const isListening = app.server.listening
    client.stdin.write('leave\n')
    const closed = await lines.next()
    const ended = once(client, 'close')
    client.stdin.end()
    await ended
    limit(`${before.toString().trim()}:`)

    expect([connected.value, isListening]).toEqual(['connected', true])
    expect(Number(closed.value)).toBeGreaterThan(0)
    await vi.waitFor(async () => expect((await rawSocket(app, GET)).body).toBe('served'))
  })

  it('reported by the server end no process', async () => {
    const app = createApp()
    app.get('/', () => 'served')
    await app.listen({ port: 0 })
    app.server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
    expect((await rawSocket(app, GET)).body).toBe('served')
  })
})
