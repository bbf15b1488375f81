// Starts the store, two processes of the app, and a proxy that connects to them in turn.
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const PORT = Number(process.env['PORT'] ?? 3000)
const STORE_PORT = Number(process.env['STORE_PORT'] ?? 6380)
const children = new Set<ChildProcess>()
/** The ports of the processes that listen. */
const ports = new Map<ChildProcess, number>()
let isClosing = false

function startStore(): string {
  if (process.env['REDIS_URL'] !== undefined) return process.env['REDIS_URL']
  const names = ['valkey-server', 'redis-server']
  const name = names.find((one) => spawnSync(one, ['--version']).status === 0)
  if (name === undefined) throw new Error(`install ${names.join(' or ')}, or set REDIS_URL`)
  const folder = mkdtempSync(path.join(tmpdir(), 'many-processes-'))
  children.add(
    spawn(name, ['--port', String(STORE_PORT), '--bind', '127.0.0.1', '--save', '', '--dir', folder]),
  )
  return `redis://127.0.0.1:${STORE_PORT}`
}

function startWorker(url: string): void {
  const env = { ...process.env, REDIS_URL: url }
  const child = fork(path.join(import.meta.dirname, 'worker.js'), { env })
  children.add(child)
  child.once('message', (address: { readonly port: number }) => {
    ports.set(child, address.port)
    console.log(`process ${child.pid} listens`)
  })
  child.once('exit', () => {
    children.delete(child)
    ports.delete(child)
    if (isClosing) return
    console.log(`process ${child.pid} has ended; another one starts`)
    setTimeout(() => startWorker(url), 500)
  })
}

function startProxy(): void {
  let next = 0
  const proxy = createServer((client) => {
    const port = [...ports.values()][next++ % Math.max(1, ports.size)]
    if (port === undefined) {
      client.destroy()
      return
    }
    const server = connect(port, '127.0.0.1')
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
    server.on('close', () => client.end())
  })
  proxy.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/rooms/blue/notes`))
}

const url = startStore()
startWorker(url)
startWorker(url)
startProxy()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isClosing = true
    for (const child of children) child.kill('SIGTERM')
    setTimeout(() => process.exit(), 2000)
  })
