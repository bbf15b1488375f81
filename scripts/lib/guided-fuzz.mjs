// A thread of `npm run fuzz`: mutates inputs, and keeps those that reach new blocks or have a new kind of outcome.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { BlockCoverage } from './block-coverage.mjs'

/**
 * @typedef {import('../../conformance/fuzz/guided/target.ts').Target} Target
 *
 * @typedef {import('../../conformance/fuzz/guided/target.ts').Outcome} Outcome
 *
 * @typedef {object} Work
 * @property {string} bundles folder of the targets, and of the sources whose blocks count
 * @property {string} target name
 * @property {readonly string[]} kept inputs
 * @property {number} seed
 * @property {number} seconds
 * @property {SharedArrayBuffer} current the input that runs: its number, its length, its octets
 */

/** Inputs between two reads of the coverage. */
const BATCH = 200
const MAX_KEPT = 3000
const MAX_FINDINGS = 5

/** @type {Work} */
const work = workerData
const coverage = new BlockCoverage()
/** @type {typeof import('../../conformance/fuzz/guided/targets.ts')} */
const { TARGETS, Random, mutate } = await import(pathToFileURL(path.join(work.bundles, 'targets.mjs')).href)
const target = TARGETS.find(({ name }) => name === work.target)
if (target === undefined) throw new Error(`no target ${work.target}`)
coverage.watch(path.join(work.bundles, 'watched.mjs'))

const random = new Random(work.seed)
const counts = new Int32Array(work.current, 0, 2)
const octets = new Uint8Array(work.current, 8)
/** @type {string[]} */
const corpus = []
const kinds = new Set()
/** @type {{ input: string, faults: readonly string[] }[]} */
const findings = []
/** @type {unknown[]} */
const lost = []
process.on('uncaughtException', (error) => void lost.push(error))
process.on('unhandledRejection', (error) => void lost.push(error))
let inputs = 0

/** Runs one input. @param {string} input @returns {Promise<Outcome>} */
async function check(input) {
  inputs++
  const bytes = Buffer.from(input, 'latin1')
  octets.set(bytes)
  counts[1] = bytes.length
  Atomics.add(counts, 0, 1)
  try {
    const outcome = await target?.check(input)
    const thrown = lost
      .splice(0)
      .map((error) => `lost: ${error instanceof Error ? error.stack : String(error)}`)
    const { kind = '', faults = [] } = outcome ?? {}
    return { kind, faults: [...faults, ...thrown] }
  } catch (error) {
    return { kind: 'thrown', faults: [`thrown: ${error instanceof Error ? error.stack : String(error)}`] }
  }
}

/** Makes a failing input smaller as long as it still fails. @param {string} input */
async function shrink(input) {
  let least = input
  for (let size = least.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < least.length;) {
      const shorter = least.slice(0, at) + least.slice(at + size)
      const { faults } = await check(shorter)
      if (faults.length > 0) least = shorter
      else at += size
    }
  }
  return least
}

/** @param {string} input */
function keep(input) {
  if (corpus.length < MAX_KEPT) corpus.push(input)
  else corpus[random.below(MAX_KEPT)] = input
}

/** Runs some inputs. @param {readonly string[]} batch */
async function runAll(batch) {
  for (const input of batch) {
    const { kind, faults } = await check(input)
    if (!kinds.has(kind)) {
      kinds.add(kind)
      keep(input)
    }
    if (faults.length === 0 || findings.length >= MAX_FINDINGS) continue
    const least = await shrink(input)
    const finding = { input: least, faults: (await check(least)).faults, inputs }
    findings.push(finding)
    parentPort?.postMessage({ finding })
  }
  return coverage.take()
}

/** Finds the inputs that reach new blocks by bisection. @param {readonly string[]} batch */
async function bisect(batch) {
  if (batch.length <= 1) {
    for (const input of batch) keep(input)
    return
  }
  const half = batch.length >> 1
  for (const part of [batch.slice(0, half), batch.slice(half)]) {
    const hit = await runAll(part)
    if (!coverage.isNew(hit)) continue
    await bisect(part)
    coverage.add(hit)
  }
}

/** @param {readonly string[]} batch */
async function explore(batch) {
  const hit = await runAll(batch)
  if (!coverage.isNew(hit)) return
  await bisect(batch)
  coverage.add(hit)
}

function next() {
  if (corpus.length === 0 || random.chance(0.05)) return target?.draw(random) ?? ''
  return mutate(random.pick(corpus), random.pick(corpus), random, target?.words ?? [])
}

/** Returns the smallest inputs, each of which reaches a block, or has a kind, that the others do not. */
async function distill() {
  const fresh = new BlockCoverageOf(coverage)
  /** @type {string[]} */
  const distilled = []
  const known = new Set()
  for (const input of corpus.toSorted((one, other) => one.length - other.length)) {
    const { kind } = await check(input)
    const hit = coverage.take()
    if (known.has(kind) && !fresh.isNew(hit)) continue
    known.add(kind)
    fresh.add(hit)
    distilled.push(input)
  }
  return distilled
}

/** The coverage of a set of inputs. */
class BlockCoverageOf {
  #seen
  /** @param {BlockCoverage} whole */
  constructor(whole) {
    this.#seen = new Uint8Array(whole.take().length)
  }
  /** @param {Uint8Array} hit */
  isNew(hit) {
    return hit.some((one, index) => one === 1 && this.#seen[index] === 0)
  }
  /** @param {Uint8Array} hit */
  add(hit) {
    for (const [index, one] of hit.entries()) if (one === 1) this.#seen[index] = 1
  }
}

const began = process.cpuUsage()
const until = performance.now() + work.seconds * 1000
for (let at = 0; at < work.kept.length; at += BATCH) await explore(work.kept.slice(at, at + BATCH))
while (performance.now() < until && findings.length < MAX_FINDINGS)
  await explore(Array.from({ length: BATCH }, next))
const { user, system } = process.cpuUsage(began)
parentPort?.postMessage({
  done: {
    inputs,
    cpuSeconds: (user + system) / 1e6,
    blocks: coverage.blocks.size,
    kept: corpus.length,
    distilled: await distill(),
    missing: coverage.missing,
  },
})
process.exit()
