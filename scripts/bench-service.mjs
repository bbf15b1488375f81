// `npm run bench:service`: prints the first table of docs/benchmarks.md, the real service: CORS, security headers, cookies, a
// rate limit, four hooks, a logger and spans, on each server in one run. `-- --write` writes it into the page, and
// `--node PATH,PATH` measures other Nodes too. Takes about three minutes for each Node.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { repository, run } from './lib/run.mjs'

const PAGE = path.join(repository, 'docs/benchmarks.md')
const BEGIN = '<!-- The table is written by `npm run bench:service -- --write`. -->'
const END = '<!-- end of the service -->'
const SLICES = 21

/** @typedef {{ subject: string, workload: string, cpuMicrosPerRequest: number }} Sample */

/** The servers of the table, in its order. */
const SERVERS = [
  ['cloister-web', '**Cloister**, `@cloister/web` and `@cloister/otel`'],
  ['cloister-wire', 'Cloister, the plugins of Fastify unmodified'],
  ['fastify5', 'Fastify 5, its plugins'],
  ['hono', 'Hono, its middleware, zod'],
  ['net', 'the floor: `node:net`, a constant response'],
]
const WORKLOADS = ['service: GET params + response schema', 'service: POST body schema']

const { values } = parseArgs({
  options: { node: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
})
const nodes = [process.execPath, ...values.node.split(',').filter((one) => one !== '')]
const folder = mkdtempSync(path.join(tmpdir(), 'bench-'))
try {
  const tables = []
  for (const node of nodes) tables.push(await measure(node))
  const text = tables.join('\n\n')
  console.log(text)
  if (values.write) write(text)
} finally {
  rmSync(folder, { recursive: true })
}

/** @param {string} node */
async function measure(node) {
  const file = path.join(folder, 'figures.json')
  const before = load()
  const script = 'benchmarks/dist/http/run.js'
  const options = ['--set', 'service', '--slices', String(SLICES), '--node', node, '--json', file]
  const { code, output } = await run(['node', script, ...options], { timeoutMs: 20 * 60_000 })
  if (code !== 0) throw new Error(`${script} failed:\n${output.slice(-2000)}`)
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  /** @type {{ samples: Sample[] }} */
  const { samples } = JSON.parse(readFileSync(file, 'utf8'))
  return `${describe(version, before)}\n\n${tableOf(samples)}`
}

function load() {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')
}

/** @param {string} node @param {string} before */
function describe(node, before) {
  const [cpu] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  const version = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(path.join(repository, 'node_modules', name, 'package.json'), 'utf8')).version
  return (
    `**Node ${node}**, ${date}, ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), Fastify ${version('fastify5')}, ` +
    `Hono ${version('hono')}; load average ${before} before, ${load()} after; the minimum of ${SLICES} rounds.`
  )
}

/** @param {Sample[]} samples */
function tableOf(samples) {
  const cpuOf = (/** @type {string} */ subject, /** @type {string} */ workload) =>
    Math.min(
      ...samples
        .filter((one) => one.subject === subject && one.workload === workload)
        .map((one) => one.cpuMicrosPerRequest),
    )
  const rows = SERVERS.map(([subject = '', title]) => {
    const cells = WORKLOADS.flatMap((workload) => {
      const cpu = cpuOf(subject, workload)
      const [floor, peer] = [cpuOf('net', workload), cpuOf('fastify5', workload)]
      const above = subject === 'net' ? '' : `${(cpu - floor).toFixed(1)} µs`
      const ratio = subject === 'fastify5' ? '' : ` (${(cpu / peer).toFixed(2)}x)`
      return [`${cpu.toFixed(1)} µs${ratio}`, above]
    })
    return `| ${[title, ...cells].join(' | ')} |`
  })
  return [
    '| CPU of a request | GET | above the floor | POST | above the floor |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

/** @param {string} text */
function write(text) {
  const page = readFileSync(PAGE, 'utf8')
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`${PAGE} lacks the lines between which the table is written`)
  writeFileSync(PAGE, `${page.slice(0, start + BEGIN.length)}\n\n${text}\n\n${page.slice(end)}`)
}
