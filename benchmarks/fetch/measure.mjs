// Measures the CPU time of requests in one process of any run time, and prints it as JSON. The subjects take turns within
// one process, in short slices: the least of each is what is compared. A `Request` is made and the text of each
// response is read in all of them, and once with nothing between.
import assert from 'node:assert/strict'
import process from 'node:process'
import { RESPONSES, APPS, REQUESTS } from './apps.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 40)
const SLICE = 2000

/** @typedef {keyof typeof REQUESTS} Kind */

/** CPU time of this process, in microseconds. */
function cpuTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** @param {import('./apps.mjs').Handler | null} handler @param {Kind} kind */
async function slice(handler, kind) {
  const make = REQUESTS[kind]
  const before = cpuTime()
  for (let count = 0; count < SLICE; count += 1) {
    const request = make()
    if (handler !== null) {
      const response = await handler(request)
      await response.text()
    }
  }
  return (cpuTime() - before) / SLICE
}

/** @type {Record<string, import('./apps.mjs').Handler | null>} */
const subjects = { 'a Request alone': null }
for (const [name, create] of Object.entries(APPS)) {
  if (process.env.ONLY !== undefined && process.env.ONLY !== name) continue
  subjects[name] = await create()
}

/** @type {Record<string, Record<string, number>>} */
const found = {}
for (const kind of /** @type {Kind[]} */ (['GET', 'POST'])) {
  for (const [name, handler] of Object.entries(subjects)) {
    if (handler === null) continue
    const response = await handler(REQUESTS[kind]())
    assert.deepEqual([response.status, await response.json()], [200, RESPONSES[kind]], name)
  }
  /** @type {Record<string, number>} */
  const least = {}
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, handler] of Object.entries(subjects)) {
      const cost = await slice(handler, kind)
      least[name] = Math.min(least[name] ?? Infinity, cost)
    }
  }
  found[kind] = least
}
console.log(JSON.stringify(found))
process.exit(0)
