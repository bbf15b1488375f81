// `npm run test:redis`: the code of `docs/recipes/shared-state.md` in two processes with one Redis, which is stopped and
// started again meanwhile. Wants `redis-server` or `valkey-server`.
import assert from 'node:assert/strict'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blocksOfMarkdown } from '../../scripts/lib/code-blocks.mjs'
import { isInstalled } from '../proxies/processes.mjs'

const here = import.meta.dirname
const page = 'docs/recipes/shared-state.md'
const WAIT_MS = 10_000

const binary = ['valkey-server', 'redis-server'].find(isInstalled)
if (binary === undefined) throw new Error('install valkey-server or redis-server first')

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Calls until what it returns is true. @param {() => Promise<boolean>} check @param {string} what */
async function until(check, what) {
  const end = performance.now() + WAIT_MS
  while (!(await check().catch(() => false))) {
    if (performance.now() > end) throw new Error(`${what}: not within ${WAIT_MS} ms`)
    await sleep(50)
  }
}

const port = await freePort()
const folder = mkdtempSync(path.join(tmpdir(), 'cloister-redis-'))
// Beside the packages that it imports.
const file = path.join(here, `shared-state-app-${process.pid}.mjs`)

async function startStore() {
  const child = spawn(binary, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder])
  for await (const chunk of child.stdout) if (String(chunk).includes('Ready to accept')) break
  return child
}

const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${port}`, SESSION_SECRET: 'x'.repeat(40) }

async function startApp() {
  const child = fork(file, { env, silent: true })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof message !== 'string') throw new Error(`the app did not start:\n${log}`)
  return { child, origin: message }
}

const get = async (origin, url, headers = {}) => {
  const response = await fetch(origin + url, { headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

let store
const apps = []
try {
  const [block] = blocksOfMarkdown(page, readFileSync(path.join(here, '../..', page), 'utf8'))
  const end = 'process.send?.(await app.listen({ port: 0 }))\n'
  writeFileSync(file, `${block.code}\n${end}`)
  await assert.rejects(startApp(), /did not start/)
  console.log('without the store no process starts')

  store = await startStore()
  apps.push(await startApp(), await startApp())
  const [one, two] = apps.map(({ origin }) => origin)

  const signedIn = await fetch(`${one}/sign-in`, { method: 'POST' })
  const cookie = signedIn.headers.getSetCookie()[0].split(';')[0]
  const me = await get(two, '/me', { cookie })
  assert.equal(me.body.name, 'Ada')
  assert.notEqual(me.body.pid, (await signedIn.json()).pid)
  assert.equal((await get(two, '/me')).body.name, null)
  console.log('a session of one process is known to the other')

  assert.deepEqual((await get(two, '/prices')).body, (await get(one, '/prices')).body)
  console.log('what one process has loaded, the other has')

  const left = async (origin) => Number((await get(origin, '/me')).headers.get('x-ratelimit-remaining'))
  const before = await left(one)
  assert.equal(await left(two), before - 1)
  let status = 200
  for (let i = 0; status === 200 && i < 200; i++) ({ status } = await get(apps[i % 2].origin, '/me'))
  assert.equal(status, 429)
  assert.deepEqual(
    [await get(one, '/me'), await get(two, '/me')].map((one) => one.status),
    [429, 429],
  )
  console.log('both processes count for one limit')

  store.kill('SIGKILL')
  await once(store, 'exit')
  await until(async () => (await get(one, '/ready')).status === 503, '/ready fails without the store')
  const without = await get(one, '/prices')
  assert.equal(without.status, 503)
  console.log('without the store: 503, and /ready fails')

  store = await startStore()
  await until(async () => (await get(one, '/ready')).status === 200, '/ready is well again')
  assert.equal((await get(one, '/prices')).status, 200)
  console.log('with the store again: 200, and /ready is well')
  console.log('0 faults')
} finally {
  for (const { child } of apps) child.kill('SIGKILL')
  store?.kill('SIGKILL')
  rmSync(file, { force: true })
  rmSync(folder, { recursive: true, force: true })
}
