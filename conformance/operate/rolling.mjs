// `npm run test:rolling -- [--requests 100000] [--only 'nginx non_idempotent,nginx,HAProxy'] [--kinds operate,bare]`: four processes behind a
// proxy are restarted one after the other, by SIGTERM, as long as the load lasts. Prints failed of sent. Exit code 1 where
// a request fails with the plugin. `bare` is the same app with `close()` on SIGTERM alone, for comparison.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ask, newAgent } from '../proxies/client.mjs'
import { count, failures, newOutcome, newToken, repeat } from '../proxies/content.mjs'
import { isInstalled, startProxy, versionOf } from '../proxies/processes.mjs'
import { PROXIES } from '../proxies/proxies.mjs'

const PROCESSES = 4
const AT_ONCE = 24
/** HAProxy sees a failing probe within 400 ms. */
const DRAIN_MS = 1200
const SETTLE_MS = 300

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'nginx non_idempotent,nginx,HAProxy' },
    kinds: { type: 'string', default: 'operate,bare' },
    transports: { type: 'string', default: 'node,auto' },
  },
})
const requests = Number(values.requests)

/** HAProxy as the recipe has it: the probe decides, and no request is sent twice but where the app never got it. */
const haproxy = {
  name: 'HAProxy',
  binary: 'haproxy',
  version: ['haproxy', '-v'],
  configure: ({ port, apps, folder }) => ({
    args: ['-f', `${folder}/haproxy.cfg`, '-db'],
    files: {
      'haproxy.cfg': `
global
  maxconn 1024
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  option http-keep-alive
  http-reuse safe
  retries 3
  option redispatch
  retry-on conn-failure empty-response 503
frontend front
  bind 127.0.0.1:${port}
  default_backend app
backend app
  option httpchk GET /ready
  default-server check inter 200ms fall 2 rise 1
${apps.map((app, index) => `  server app${index} 127.0.0.1:${app}`).join('\n')}
`,
    },
  }),
}
/** nginx looks at no probe: it learns of the end by refused connections, and sends requests once more. */
const nginx = PROXIES.find(({ name }) => name === 'nginx')
/** A POST is sent once more too, when its connection ended without a response. */
const nginxRetries = {
  ...nginx,
  name: 'nginx non_idempotent',
  configure: (given) => {
    const { files, args } = nginx.configure(given)
    const text = files['nginx.conf'].replace('http_503;', 'http_503 non_idempotent;')
    return { files: { 'nginx.conf': text }, args }
  },
}

/** @param {string} transport @param {string} kind @param {number} port */
async function startApp(transport, kind, port = 0) {
  const file = path.join(import.meta.dirname, 'rolling-app.mjs')
  const child = fork(file, [transport, String(port), String(DRAIN_MS), kind])
  const [message] = await once(child, 'message')
  return { child, port: message.port }
}

/** One request, checked. @param {number} port @param {import('node:http').Agent} agent @param {number} index */
async function send(port, agent, index) {
  const token = newToken()
  const isPost = index % 10 === 0
  const asked = isPost
    ? await ask({
        port,
        agent,
        path: '/orders',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ token, amount: 7 })),
      })
    : await ask({ port, agent, path: `/orders/${token}` })
  const method = isPost ? 'POST' : 'GET'
  if (asked.status !== (isPost ? 201 : 200)) return `${method}: ${asked.error ?? `status ${asked.status}`}`
  const expected = JSON.stringify({ token, amount: 7 })
  return asked.content.toString() === expected ? null : `${method}: another content`
}

/** @param {{ name: string }} proxy @param {string} transport @param {string} kind */
async function roll(proxy, transport, kind) {
  const apps = []
  for (let index = 0; index < PROCESSES; index++) apps.push(await startApp(transport, kind))
  const through = await startProxy(
    proxy,
    apps.map(({ port }) => port),
  )
  await sleep(500)
  const outcome = newOutcome()
  const agent = newAgent()
  agent.maxSockets = AT_ONCE
  const start = performance.now()
  let restarts = 0
  let isOver = false
  const load = repeat(requests, AT_ONCE, async (index) =>
    count(outcome, await send(through.port, agent, index)),
  ).then(() => void (isOver = true))
  while (!isOver) {
    const [old] = apps.splice(0, 1)
    const exit = once(old.child, 'exit')
    old.child.kill('SIGTERM')
    const [code] = await exit
    if (code !== 0) outcome.notes.push(`exit code ${code}`)
    apps.push(await startApp(transport, kind, old.port))
    restarts++
    await sleep(SETTLE_MS)
  }
  await load
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  await through.stop()
  for (const { child } of apps) {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return { outcome, restarts, seconds }
}

console.log(
  '| proxy | app | transport | failed of sent | restarts | requests per second |\n|---|---|---|---|---|---|',
)
for (const proxy of [nginxRetries, nginx, haproxy]) {
  if (!values.only.split(',').includes(proxy.name)) continue
  if (!isInstalled(proxy.binary)) {
    console.log(`${proxy.name}: skipped, since ${proxy.binary} is not installed`)
    continue
  }
  const name = `${proxy.name} ${await versionOf(proxy.version)}`
  for (const kind of values.kinds.split(',')) {
    for (const transport of values.transports.split(',')) {
      const { outcome, restarts, seconds } = await roll(proxy, transport, kind)
      const failed = failures(outcome)
      if (failed > 0 && kind === 'operate') process.exitCode = 1
      const rate = Math.round(outcome.sent / seconds)
      console.log(
        `| ${name} | ${kind} | ${transport} | ${failed} of ${outcome.sent} | ${restarts} | ${rate} |`,
      )
      for (const [reason, times] of outcome.failed) console.error(`  ${reason}: ${times}`)
      for (const note of new Set(outcome.notes)) console.error(`  ${note}`)
    }
  }
}
