// `npm run bench`: prints the table of docs/benchmarks.md, Cloister beside Fastify 5 in one run on this machine. `--
// --write` writes it into the page. Takes about six minutes on an otherwise idle machine.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { repository, run } from './lib/run.mjs'

const PAGE = path.join(repository, 'docs/benchmarks.md')
const BEGIN = '<!-- The table is written by `npm run bench -- --write`. -->'
const END = '<!-- end of the table -->'

/** @typedef {{ subject: string, workload: string, cpuMicrosPerRequest: number }} Sample */
/** @typedef {{ subject: string, figures: Record<string, number> }} Boot */

const REQUESTS = [
  ['GET with params and response schema', 'GET params + response schema'],
  ['POST with body schema', 'POST body schema'],
  ['body that is refused', 'refused body'],
  ['JSON body of 100 KB', 'JSON body of 100 KB'],
  ['stream of 16 KB', 'stream of 16 KB'],
  ['four hooks: GET', 'hooks: GET params + response schema'],
  ['four hooks: POST', 'hooks: POST body schema'],
  ['four hooks: list of 50', 'hooks: list'],
  ['hooks and logger: GET', 'hooks+logger: GET params + response schema'],
  ['hooks and logger: POST', 'hooks+logger: POST body schema'],
  ['hooks and logger: list of 50', 'hooks+logger: list'],
  ['cors, helmet, cookie: GET', 'plugins: GET params + response schema'],
  ['cors, helmet, cookie: POST', 'plugins: POST body schema'],
  ['cors, helmet, cookie: list of 50', 'plugins: list'],
  ['all of these: GET', 'everything: GET params + response schema'],
  ['all of these: POST', 'everything: POST body schema'],
  ['all of these: list of 50', 'everything: list'],
]
const PIPELINED = [
  ['ten requests in flight: GET', 'GET params + response schema'],
  ['ten requests in flight: POST', 'POST body schema'],
]

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'))
try {
  const before = load()
  const http = ['--subjects', 'cloister-wire,cloister,fastify5', '--rounds', '7', '--duration', '400']
  const production = await measure('http', ['--set', 'production', ...http])
  const pipelined = await measure('http', ['--pipelining', '10', ...http])
  const subjects = 'cloister-auto,cloister-eager,fastify5'
  const boot = await measure('boot', ['--routes', '500', '--layouts', 'root', '--subjects', subjects])
  const text = [
    describe(before),
    '',
    '| CPU of a request | Cloister | on `node:http` | Fastify 5 | |',
    '| --- | ---: | ---: | ---: | --- |',
    ...REQUESTS.map(([title, name]) => requestRow(title, name, production)),
    ...PIPELINED.map(([title, name]) => requestRow(title, name, pipelined)),
    '',
    '| Boot of 500 routes with schemas of their own | Cloister | `eager` | Fastify 5 | |',
    '| --- | ---: | ---: | ---: | --- |',
    bootRow('CPU until ready', 'ms', boot, ({ readyMs }) => readyMs),
    bootRow('heap at ready', 'MB', boot, ({ heapMb }) => heapMb),
    bootRow('first request to a route, CPU', 'ms', boot, ({ firstHitMedianMs }) => firstHitMedianMs),
  ].join('\n')
  console.log(text)
  if (process.argv.includes('--write')) write(text)
} finally {
  rmSync(folder, { recursive: true })
}

function load() {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')
}

/** Runs a benchmark of the workspace and reads its figures. @param {string} name @param {string[]} args */
async function measure(name, args) {
  const file = path.join(folder, 'figures.json')
  const script = `benchmarks/dist/${name}/run.js`
  const { code, output } = await run(['node', script, ...args, '--json', file], { timeoutMs: 15 * 60_000 })
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} failed:\n${output.slice(-2000)}`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** @param {string} before the load average before the run */
function describe(before) {
  const [cpu] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  const version = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(path.join(repository, 'node_modules', name, 'package.json'), 'utf8')).version
  return (
    `${date}, Node ${process.versions.node}, ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ` +
    `Fastify ${version('fastify5')}; load average ${before} before, ${load()} after. ` +
    'Server on one core, load on the other; the median of seven rounds.'
  )
}

/** @param {string | undefined} title @param {string | undefined} name @param {{ samples: Sample[] }} figures */
function requestRow(title, name, { samples }) {
  const of = (/** @type {string} */ subject) =>
    median(
      samples
        .filter((one) => one.subject === subject && one.workload === name)
        .map((one) => one.cpuMicrosPerRequest),
    )
  const [wire, node, peer] = [of('cloister-wire'), of('cloister'), of('fastify5')]
  return `| ${title} | ${wire.toFixed(1)} µs | ${node.toFixed(1)} µs | ${peer.toFixed(1)} µs | **${(wire / peer).toFixed(2)}x** (${(node / peer).toFixed(2)}x) |`
}

/** The median counts garbage collections, which the least value leaves out. @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN
}

/**
 * @param {string} title @param {string} unit @param {Boot[]} rows
 * @param {(figures: Record<string, number>) => number | undefined} pick
 */
function bootRow(title, unit, rows, pick) {
  const of = (/** @type {string} */ subject) =>
    pick(rows.find((row) => row.subject === subject)?.figures ?? {}) ?? NaN
  const [auto, eager, peer] = [of('cloister-auto'), of('cloister-eager'), of('fastify5')]
  const digits = peer < 10 ? 2 : 0
  const figures = [auto, eager, peer].map((one) => `${one.toFixed(digits)} ${unit}`).join(' | ')
  return `| ${title} | ${figures} | **${(auto / peer).toFixed(2)}x** (${(eager / peer).toFixed(2)}x) |`
}

/** @param {string} text */
function write(text) {
  const page = readFileSync(PAGE, 'utf8')
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`${PAGE} lacks the lines between which the table is written`)
  writeFileSync(PAGE, `${page.slice(0, start + BEGIN.length)}\n\n${text}\n\n${page.slice(end)}`)
}
