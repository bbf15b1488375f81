// What is tried through each proxy. A scenario counts its requests, and those that failed by reason.
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { tryAmbiguous } from './ambiguous.mjs'
import { ask, get, newAgent, upload } from './client.mjs'
import { contentOf, count, drawSize, newToken, repeat } from './content.mjs'
import { App, startProxy } from './processes.mjs'

/** @typedef {import('./content.mjs').Outcome} Outcome */

/**
 * @typedef {object} Bench
 * @property {import('./proxies.mjs').Proxy | null} proxy `null` for none
 * @property {string} subject
 * @property {App} app
 * @property {number} port that of the proxy
 * @property {Outcome} outcome
 *
 * @typedef {(bench: Bench) => Promise<void>} Scenario
 */

const MB = 1_000_000
const UPLOAD = { 'content-type': 'application/x-upload' }
/** Uploads that are refused before they have arrived: path, type, status. */
const REFUSALS = [
  ['/refused', 'application/x-upload', 401],
  ['/nowhere', 'application/x-upload', 404],
  ['/limited', 'application/x-buffer', 413],
  ['/limited', 'application/x-unknown', 415],
]

/** @type {Scenario} */
async function keepAlive({ app, port, outcome }) {
  const agent = newAgent()
  const before = (await app.ask('figures')).connections
  await repeat(600, 8, async () => count(outcome, await get({ port, agent, size: drawSize(100_000) })))
  const { connections } = await app.ask('figures')
  const lane = await ask({ port, agent, path: '/lane' })
  outcome.notes.push(`${connections - before} connections to the app; ${lane.content.toString()}`)
  agent.destroy()
}

/** @type {Scenario} */
async function uploads({ port, outcome }) {
  const agent = newAgent()
  await repeat(240, 6, async (index) => {
    const size = 1 + drawSize(300_000)
    count(outcome, await upload({ port, agent, size, isChunked: index % 2 === 1 }))
  })
  agent.destroy()
}

/** Requests of others, while uploads are refused: none of them may fail. @type {Scenario} */
async function bystanders({ port, outcome }) {
  const agent = newAgent()
  let isOver = false
  const refuse = async () => {
    for (let index = 0; !isOver; index++) await refusedUpload(port, index, 400_000)
  }
  const refused = Promise.all([refuse(), refuse(), refuse()])
  await repeat(800, 4, async () => {
    count(outcome, await get({ port, agent, size: drawSize(10_000) }))
    await sleep(1)
  })
  isOver = true
  await refused
  agent.destroy()
}

/** @param {number} port @param {number} index @param {number} size @param {number} [piece] */
async function refusedUpload(port, index, size, piece) {
  const [path, type, status] = REFUSALS[index % REFUSALS.length]
  const isChunked = Math.floor(index / REFUSALS.length) % 2 === 1
  const headers = { 'content-type': type }
  const body = Buffer.alloc(size, ' ')
  const asked = await ask({ port, path, method: 'POST', headers, body, isChunked, piece })
  return asked.status === status ? null : (asked.error ?? `status ${asked.status}`)
}

/** @type {Scenario} */
async function refusedUploads({ port, outcome }) {
  await repeat(160, 4, async (index) => count(outcome, await refusedUpload(port, index, 400_000)))
}

/** @type {Scenario} */
async function largeRefusedUploads({ port, outcome }) {
  await repeat(8, 2, async (index) => count(outcome, await refusedUpload(port, index, 24 * MB)))
}

/** Slow clients: the content takes seconds longer than the app waits for an end of its connections. @type {Scenario} */
async function slowReaders({ port, outcome }) {
  await repeat(6, 6, async (index) => {
    const read = (response) => {
      const timer = setInterval(() => response.resume(), 50)
      response.on('data', () => response.pause()).on('close', () => clearInterval(timer))
    }
    const headers = { connection: index % 2 === 0 ? 'close' : 'keep-alive' }
    count(outcome, await get({ port, size: 9 * MB, headers, onResponse: read }))
  })
}

/** @type {Scenario} */
async function large({ port, outcome }) {
  await repeat(6, 3, async () => count(outcome, await get({ port, size: 20 * MB })))
  await repeat(6, 3, async (index) =>
    count(outcome, await upload({ port, size: 20 * MB, isChunked: index % 2 === 1 })),
  )
}

/** @type {Scenario} */
async function streams({ port, outcome }) {
  const agent = newAgent()
  await repeat(80, 8, async (index) =>
    count(outcome, await get({ port, agent, size: drawSize(MB), kind: `stream?pause=${index % 2}&` })),
  )
  agent.destroy()
}

/** A stream that is cut must not look whole. @type {Scenario} */
async function cutStreams({ app, port, outcome }) {
  const before = (await app.ask('figures')).resets
  await repeat(40, 4, async () => {
    const token = newToken()
    const { status, isWhole } = await ask({ port, path: `/stream?token=${token}&size=200000&cut=100000` })
    count(outcome, status === 200 && isWhole ? 'looks whole' : null)
  })
  outcome.notes.push(`${(await app.ask('figures')).resets - before} resets by the proxy`)
}

/** The first event is there before the last is sent. @type {Scenario} */
async function events({ port, outcome }) {
  await repeat(6, 6, async () => {
    const token = newToken()
    let first = 0
    const onResponse = (response) => response.once('data', () => void (first = performance.now()))
    const asked = await ask({ port, path: `/events?token=${token}&size=12`, onResponse })
    const isLive = performance.now() - first > 150
    const isWhole = asked.isWhole && asked.content.toString().endsWith(`data: ${token} 11\n\n`)
    count(outcome, !isWhole ? 'not all events' : isLive ? null : 'collected by the proxy')
  })
}

/** @type {Scenario} */
async function upgrades({ port, outcome }) {
  await repeat(8, 4, async () => {
    const client = new WebSocket(`ws://127.0.0.1:${port}/socket`, { handshakeTimeout: 5000 })
    for (let index = 0; index < 12; index++) {
      const text = contentOf(newToken(), 1 + drawSize(70_000)).toString()
      count(outcome, await echo(client, text))
    }
    client.terminate()
  })
}

/** @param {WebSocket} client @param {string} text @returns {Promise<string | null>} */
function echo(client, text) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), 5000)
    const settle = (fault) => {
      clearTimeout(timer)
      client.removeAllListeners()
      client.on('error', () => {})
      resolve(fault)
    }
    client.once('message', (message) => settle(message.toString() === text ? null : 'another message'))
    client.once('error', ({ message }) => settle(message)).once('close', () => settle('closed'))
    if (client.readyState === WebSocket.OPEN) client.send(text)
    else if (client.readyState === WebSocket.CONNECTING) client.once('open', () => client.send(text))
    else settle('closed')
  })
}

/** Clients that go away, and requests of others in between. @type {Scenario} */
async function abortedClients({ port, outcome }) {
  const agent = newAgent()
  const leave = (index) => {
    if (index % 3 === 0) {
      const onResponse = (response, client) => response.once('data', () => client.destroy())
      return get({ port, size: 4 * MB, onResponse })
    }
    const body = Buffer.alloc(MB, 'x')
    const kind = index % 3 === 1
    const sent = ask({
      port,
      path: '/upload',
      method: 'POST',
      headers: UPLOAD,
      body,
      isChunked: kind,
      piece: 4096,
      agent: leaving,
    })
    return Promise.race([sent, sleep(20)])
  }
  const leaving = newAgent()
  await repeat(60, 4, async (index) => {
    await leave(index)
    if (index % 6 === 0) leaving.destroy()
    for (let at = 0; at < 4; at++) count(outcome, await get({ port, agent, size: drawSize(20_000) }))
  })
  leaving.destroy()
  agent.destroy()
}

/** Requests that come when the app is about to end an idle connection. @type {Scenario} */
async function idleRaces({ proxy, subject, outcome }) {
  const app = await App.start(subject, { options: { keepAliveTimeout: 200 } })
  const through = proxy === null ? null : await startProxy(proxy, [app.port])
  for (let round = 0; round < 30; round++) {
    await repeat(16, 16, async () =>
      count(outcome, await get({ port: through?.port ?? app.port, size: 100 })),
    )
    await sleep(proxy === null ? 0 : 150 + 60 * (round % 20))
  }
  await through?.stop()
  await app.stop()
}

/** Proxies leave an app alone for a second that has refused a connection. */
const PACE_MS = 1500

/** Two apps are restarted in turn under load: `close()`, then a new process on the same port. @type {Scenario} */
async function restart({ proxy, subject, outcome }) {
  if (proxy === null) return
  const apps = [await App.start(subject), await App.start(subject)]
  const through = await startProxy(
    proxy,
    apps.map(({ port }) => port),
  )
  const agent = newAgent()
  let isOver = false
  const load = repeat(4, 4, async () => {
    while (!isOver) count(outcome, await get({ port: through.port, agent, size: drawSize(50_000) }))
  })
  for (let round = 0; round < 4; round++) {
    await sleep(PACE_MS)
    const [old] = apps.splice(0, 1)
    await old.ask('close')
    await old.stop()
    await sleep(100)
    apps.push(await App.start(subject, { port: old.port }))
  }
  await sleep(300)
  isOver = true
  await load
  agent.destroy()
  await through.stop()
  for (const app of apps) await app.stop()
}

/** @type {Scenario} */
async function hints({ port, outcome }) {
  await repeat(10, 2, async () => count(outcome, await get({ port, size: 100, kind: 'hints?' })))
}

/** @type {Readonly<Record<string, Scenario>>} */
export const SCENARIOS = {
  'keep-alive': keepAlive,
  uploads,
  'refused uploads': refusedUploads,
  'large refused uploads': largeRefusedUploads,
  'requests beside refused uploads': bystanders,
  'slow readers': slowReaders,
  'large both ways': large,
  streams,
  'streams that are cut': cutStreams,
  'server-sent events': events,
  upgrades,
  'aborted clients': abortedClients,
  'idle races': idleRaces,
  restart,
  'ambiguous messages': tryAmbiguous,
  'early hints': hints,
}
