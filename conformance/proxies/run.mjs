// `npm run test:proxies -- [--only NAME,…] [--scenarios NAME,…] [--subjects node,engine,fastify] [--part proxies|clients]`: mixed
// requests through real proxies, and of real clients, to the same app on node:http, on the engine and on Fastify.
// Prints tables: failed of sent. Exit code 1 where the engine fails and node:http does not.
import { parseArgs } from 'node:util'
import { CLIENTS, runClient } from './clients.mjs'
import { failures, newOutcome } from './content.mjs'
import { App, isInstalled, startProxy, versionOf } from './processes.mjs'
import { PROXIES } from './proxies.mjs'
import { SCENARIOS } from './scenarios.mjs'
import { SUBJECTS } from './subjects.mjs'

/** @typedef {import('./content.mjs').Outcome} Outcome */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    scenarios: { type: 'string', default: '' },
    subjects: { type: 'string', default: Object.keys(SUBJECTS).join(',') },
    part: { type: 'string', default: 'proxies,clients' },
  },
})
const subjects = values.subjects.split(',')
/** A client that leaves is not always an error of the app, but one that fails alone is. @type {string[]} */
const red = []

/** @param {string} list @param {string} name */
const isChosen = (list, name) => list === '' || list.split(',').includes(name)

/** @param {{ name: string, binary: string }} row */
function isThere({ name, binary }) {
  if (!isChosen(values.only, name)) return false
  if (binary === '' || isInstalled(binary)) return true
  console.log(`${name}: skipped, since ${binary} is not installed`)
  return false
}

/** @param {Outcome | undefined} outcome */
function show(outcome) {
  if (outcome === undefined || outcome.sent === 0) return '–'
  return `${failures(outcome)} of ${outcome.sent}`
}

/** @param {string} name @param {ReadonlyMap<string, Outcome>} outcomes by subject @param {readonly string[]} columns */
function printRow(name, outcomes, columns) {
  console.log(`| ${name} | ${columns.map((column) => show(outcomes.get(column))).join(' | ')} |`)
  for (const [column, { failed, notes }] of outcomes) {
    const reasons = [...failed].map(([reason, times]) => `${reason}: ${times}`)
    if (reasons.length + notes.length > 0)
      console.error(`  ${name}, ${column}: ${[...reasons, ...notes].join('; ')}`)
  }
}

/** @param {string} title @param {readonly string[]} columns */
function printHead(title, columns) {
  console.log(`\n| ${title} | ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length + 1)}`)
}

/** @param {ReadonlyMap<string, Outcome>} outcomes @param {string} one @param {string} other */
function isWorse(outcomes, one, other) {
  const [first, second] = [outcomes.get(one), outcomes.get(other)]
  const rate = (outcome) =>
    outcome === undefined || outcome.sent === 0 ? 0 : failures(outcome) / outcome.sent
  return rate(first) > rate(second)
}

/** @param {import('./proxies.mjs').Proxy | null} proxy */
async function tryProxy(proxy) {
  const title = proxy === null ? 'no proxy' : `${proxy.name} ${await versionOf(proxy.version)}`
  printHead(title, subjects)
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    if (!isChosen(values.scenarios, name) || proxy?.without?.includes(name) === true) continue
    /** @type {Map<string, Outcome>} */
    const outcomes = new Map()
    for (const subject of subjects) {
      const outcome = newOutcome()
      outcomes.set(subject, outcome)
      const app = await App.start(subject)
      const through = proxy === null ? null : await startProxy(proxy, [app.port])
      await scenario({ proxy, subject, app, port: through?.port ?? app.port, outcome })
      if (app.hasDied) outcome.notes.push('THE APP DIED')
      await through?.stop()
      await app.stop()
    }
    printRow(name, outcomes, subjects)
    if (isWorse(outcomes, 'engine', 'node')) red.push(`${title}: ${name}`)
  }
}

async function tryClients() {
  const lanes = subjects.flatMap((subject) => [subject, `${subject}, TLS`])
  printHead('client', lanes)
  for (const client of CLIENTS) {
    if (!isThere(client)) continue
    /** @type {Map<string, Outcome>} */
    const outcomes = new Map()
    for (const lane of lanes) {
      const [subject = '', isEncrypted] = lane.split(', ')
      if (isEncrypted !== undefined && client.hasTls === false) continue
      const { hasUpgrades = true } = client
      const app = await App.start(subject, {
        options: { isEncrypted: isEncrypted !== undefined, hasUpgrades },
      })
      outcomes.set(lane, await runClient(client, app.port, isEncrypted !== undefined))
      await app.stop()
    }
    printRow(`${client.name} ${await versionOf(client.version)}`, outcomes, lanes)
    for (const suffix of ['', ', TLS'])
      if (isWorse(outcomes, `engine${suffix}`, `node${suffix}`)) red.push(`${client.name}${suffix}`)
  }
}

console.log(`Node.js ${process.version}; failed of sent`)
if (values.part.includes('proxies')) {
  if (isChosen(values.only, 'none')) await tryProxy(null)
  for (const proxy of PROXIES) if (isThere(proxy)) await tryProxy(proxy)
}
if (values.part.includes('clients')) await tryClients()
for (const name of red) console.log(`the engine fails more often than node:http: ${name}`)
process.exitCode = red.length > 0 ? 1 : 0
