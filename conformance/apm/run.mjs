// `npm run test:apm`: each agent over the engine and over `node:http`. It must see the same requests, and the app must
// say why Node's parser serves them.
import { execFileSync } from 'node:child_process'
import path from 'node:path'

const EXPECTED = ['GET /users/7 200', 'GET /broken 500']
const AGENTS = ['@sentry/node', 'dd-trace', 'elastic-apm-node', 'newrelic', 'opentelemetry']

/**
 * @param {string} agent
 * @param {string} transport
 */
function tryAgent(agent, transport) {
  return lastLine('try-agent.mjs', [agent, transport])
}

/** @param {string} name @param {string[]} parameters */
function lastLine(name, parameters) {
  const file = path.join(import.meta.dirname, name)
  const output = execFileSync(process.execPath, [file, ...parameters], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}

const faults = []
for (const agent of AGENTS) {
  const [auto, node] = [tryAgent(agent, 'auto'), tryAgent(agent, 'node')]
  for (const { seen } of [auto, node])
    if (JSON.stringify(seen) !== JSON.stringify(EXPECTED)) faults.push(`${agent} has seen ${seen}`)
  if (auto.name !== 'node') faults.push(`${agent} is not noticed: ${auto.reason}`)
  console.log(`${agent}: ${auto.seen.length} requests seen, ${auto.name}: ${auto.reason}`)
}
for (const transport of ['auto', 'node']) {
  const { name, events } = lastLine('sentry.mjs', [transport])
  const expected = [1, 2].map((id) => `GET /orders/:id: no order ${id}, of order ${id}`)
  const seen = events.map(
    ({ transaction, message, order }) => `${transaction}: ${message}, of order ${order}`,
  )
  if (seen.toSorted().join() !== expected.join())
    faults.push(`Sentry has got ${seen.join('; ') || 'no event'}`)
  if (name !== (transport === 'auto' ? 'wire' : 'node'))
    faults.push(`with Sentry's recipe, ${name} serves requests`)
  console.log(`errors in Sentry: ${events.length} events, ${name}`)
}
for (const fault of faults) console.error(fault)
console.log(`${AGENTS.length} agents, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
