// `node conformance/state/soak.mjs [--minutes 10] [--seed 1] [--store redis] [--ends processes]` after a build: three
// processes behind nginx over one store, under load. Every few seconds one of the processes is ended by SIGKILL or
// SIGTERM (`--ends processes`), or the store is killed and comes back with its data (`--ends store`). Prints what was
// lost, doubled, out of order, seen by a stranger or done twice; exit code 1 if anything was. Wants nginx, and
// redis-server or valkey-server; with `--store postgres` also Postgres.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { startPostgres, startRedis } from './servers.mjs'
import { checkEffects, checkTopics, newTally } from './soak-checks.mjs'
import { freePort, isInstalled, startProxy } from '../proxies/processes.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'redis' },
    ends: { type: 'string', default: 'processes' },
  },
})
const PROCESSES = 3
const SETTLE_MS = 20_000
const WINDOW = { max: 20, ms: 10_000 }
const KEYS = ['a', 'b', 'c', 'd']
const endsStore = values.ends === 'store'
// A store that is away for longer than half of this frees the keys of requests that run.
const HOLD_MS = endsStore ? 10_000 : 2000
const MAX_AWAY_MS = 4000

let drawn = Number(values.seed)
/** @param {number} below */
const draw = (below) => (drawn = (Math.imul(drawn, 48_271) >>> 0) % 2_147_483_647 || 1) % below

if (!isInstalled('nginx')) throw new Error('install nginx')
const { did, wrong, notes, count, fault } = newTally()
const store = await (values.store === 'postgres' ? startPostgres() : startRedis({ keepsData: true }))
const effects = await startRedis()
const redis = new Redis(effects.port)
const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort))

/** @type {(import('node:child_process').ChildProcess | null)[]} */
const apps = ports.map(() => null)
/** The processes that were ended by SIGKILL. */
const killed = new Set()
async function startApp(index) {
  const args = [values.store, ...[ports[index], store.port, effects.port, HOLD_MS].map(String)]
  const child = fork(path.join(import.meta.dirname, 'soak-app.mjs'), args)
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (message !== 'listens') throw new Error('the app did not start')
  apps[index] = child
}
await Promise.all(ports.map((_port, index) => startApp(index)))
process.once('exit', () => apps.forEach((child) => child?.kill('SIGKILL')))

const nginx = await startProxy(
  {
    name: 'nginx',
    binary: 'nginx',
    version: [],
    configure: ({ port, apps: upstream, folder }) => ({
      args: ['-p', folder, '-c', `${folder}/nginx.conf`, '-g', 'daemon off;'],
      files: {
        'nginx.conf': `
pid nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  upstream app { ${upstream.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' ')} keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://app;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 60s;
    }
  }
}`,
      },
    }),
  },
  ports,
)
const origin = `http://127.0.0.1:${nginx.port}`
const end = performance.now() + Number(values.minutes) * 60_000
const isOver = () => performance.now() > end

/** Sends a request; `null` if no whole response came. */
async function send(url, options = {}) {
  try {
    const signal = AbortSignal.timeout(5000)
    const response = await fetch(origin + url, { ...options, signal })
    const text = await response.text()
    count(`status ${response.status}`)
    return { status: response.status, text, headers: response.headers }
  } catch {
    count('cut off')
    return null
  }
}

const json = (headers, body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

async function killing() {
  while (!isOver()) {
    await sleep(1000 + draw(4000))
    const index = draw(PROCESSES)
    const child = apps[index]
    if (child === null || child === undefined) continue
    const signal = draw(2) === 0 ? 'SIGKILL' : 'SIGTERM'
    if (signal === 'SIGKILL') killed.add(child.pid)
    count(signal)
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
    await sleep(draw(1000))
    await startApp(index)
  }
}

async function restartingStore() {
  while (!isOver()) {
    await sleep(3000 + draw(12_000))
    count('restarts of the store')
    await store.kill()
    await sleep(draw(MAX_AWAY_MS))
    await store.start()
  }
}

let published = 0
/** What was confirmed to be published: numbers by id, by topic. @type {Map<string, Map<string, number>>} */
const confirmed = new Map(KEYS.map((key) => [key, new Map()]))
async function publishing() {
  while (!isOver()) {
    const n = published++
    const key = KEYS[n % KEYS.length]
    const response = await send(`/topic/${key}`, json({}, { n }))
    if (response?.status === 200) confirmed.get(key)?.set(JSON.parse(response.text).id, n)
    await sleep(draw(60))
  }
}

/** The events of a stream that may be cut off. */
async function* eventsOf(body) {
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) yield Object.fromEntries(event.split('\n').map((line) => line.split(': ')))
  }
}

/** The messages that a subscriber got, over all its connections. */
async function subscribing(key, received, finished) {
  let lastId
  while (!finished.aborted) {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
    const cut = AbortSignal.any([finished, AbortSignal.timeout(2000 + draw(30_000))])
    try {
      const response = await fetch(`${origin}/topic/${key}`, { headers, signal: cut })
      if (response.status !== 200) throw new Error(String(response.status))
      count('subscriptions')
      for await (const { id, data, event } of eventsOf(response.body)) {
        lastId = id ?? lastId
        if (event === 'gap') received.push(null)
        if (event === 'message') received.push({ id, n: JSON.parse(data).n })
      }
    } catch {
      count('subscriptions cut')
    }
    await sleep(draw(200))
  }
}

/** Effects whose response a client got, by caller and key. @type {Map<string, number>} */
const responded = new Map()
async function order(caller, key, amount) {
  const name = `${caller} ${key}`
  for (;;) {
    const response = await send('/orders', json({ 'x-caller': caller, 'idempotency-key': key }, { amount }))
    if (response?.status === 422) return
    if (response?.status === 200) {
      const got = JSON.parse(response.text)
      if (got.caller !== caller || got.amount !== amount)
        fault('responses of a stranger', `${name}: ${response.text}`)
      const earlier = responded.get(name)
      if (earlier !== undefined && earlier !== got.effect) fault('responses that differ', name)
      responded.set(name, got.effect)
      if (response.headers.has('idempotent-replayed')) count('replays')
      return
    }
    if (response !== null && ![409, 500, 502, 503, 504].includes(response.status))
      fault('wrong statuses', `${name}: ${response.status} ${response.text}`)
    await sleep(20 + draw(200))
  }
}

async function ordering(worker) {
  for (let round = 0; !isOver(); round++) {
    const key = `k${worker}-${round}`
    const callers = draw(3) === 0 ? ['ann', 'bob'] : ['ann']
    await Promise.all(callers.flatMap((caller) => [order(caller, key, 5), order(caller, key, 5)]))
    await order('ann', key, 5)
    if (draw(4) > 0) continue
    const other = await send('/orders', json({ 'x-caller': 'ann', 'idempotency-key': key }, { amount: 6 }))
    if (other?.status === 200) fault('responses of a stranger', `${key}: another body`)
  }
}

async function signingIn(caller) {
  while (!isOver()) {
    const login = await send('/session', json({ 'x-caller': caller }, {}))
    const cookie = login?.headers.get('set-cookie')?.split(';')[0]
    if (login?.status !== 200 || cookie === undefined) continue
    for (let reads = 0; reads < 50 && !isOver(); reads++) {
      const response = await send('/session', { headers: { cookie } })
      if (response?.status === 200 && JSON.parse(response.text).user !== caller)
        fault('sessions lost or of a stranger', `${caller}: ${response.text}`)
      if (response?.status === 200) count('sessions read')
      await sleep(draw(100))
    }
  }
}

async function hurrying(caller) {
  const begin = performance.now()
  let allowed = 0
  while (!isOver()) {
    const response = await send('/limited', { headers: { 'x-caller': caller } })
    if (response?.status === 200) allowed += 1
    const most = WINDOW.max + ((performance.now() - begin) / WINDOW.ms) * WINDOW.max + 1
    if (allowed > most) fault('more than the limit', `${caller}: ${allowed}`)
    await sleep(draw(100))
  }
  count('allowed by the limit', allowed)
}

const finished = new AbortController()
const subscribers = KEYS.flatMap((key) => Array.from({ length: 8 }, () => ({ key, received: [] })))
const following = subscribers.map(({ key, received }) => subscribing(key, received, finished.signal))
await Promise.all([
  endsStore ? restartingStore() : killing(),
  ...Array.from({ length: 4 }, publishing),
  ...Array.from({ length: 8 }, (_one, worker) => ordering(worker)),
  ...['ann', 'bob', 'cid'].map(signingIn),
  ...['ann', 'bob'].map(hurrying),
])
const settledBy = performance.now() + SETTLE_MS
const hasLast = ({ key, received }) => {
  const last = [...(confirmed.get(key)?.keys() ?? [])].at(-1)
  return received.some((one) => one?.id === last)
}
while (performance.now() < settledBy && !subscribers.every(hasLast)) await sleep(100)
finished.abort()
await Promise.all(following)
const tally = { count, fault }
checkTopics({ confirmed, subscribers, mayLose: endsStore && values.store === 'redis', ...tally })
await checkEffects({ redis, killed, responded, ...tally })
console.log(did)
console.log(wrong)
for (const note of notes) console.log(note)
process.exitCode = Object.values(wrong).some((times) => times > 0) ? 1 : 0
redis.disconnect()
for (const child of apps) child?.kill('SIGKILL')
await Promise.all([store.remove(), effects.remove(), nginx.stop()])
