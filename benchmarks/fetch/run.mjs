// `npm run fetch -w @cloister/benchmarks`: requests of the web platform on Node, Bun and Deno, beside Hono and Elysia.
//   --set cpu | sockets | start      what to measure (all of them)
//   --node, --bun, --deno PATH       other programs than those on the path; a run time that is not there is left out
import { execFileSync, spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureSockets } from './sockets.mjs'
import { measureStarts } from './start.mjs'

const folder = import.meta.dirname

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    bun: { type: 'string', default: 'bun' },
    deno: { type: 'string', default: 'deno' },
  },
})

/** @typedef {{ name: string, command: readonly string[] }} RunTime */

/** @type {RunTime[]} */
const runTimes = [
  { name: 'Node', command: [values.node] },
  { name: 'Bun', command: [values.bun] },
  { name: 'Deno', command: [values.deno, 'run', '-A', '--node-modules-dir=manual'] },
].flatMap(({ name, command }) => {
  const { stdout, error } = spawnSync(command[0] ?? '', ['--version'], { encoding: 'utf8' })
  if (error !== undefined) {
    console.log(`${name} is not there (${error.message}); --${name.toLowerCase()} PATH names it`)
    return []
  }
  const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? ''
  return [{ name: `${name} ${version}`, command }]
})

/** @param {string} title @param {readonly string[]} columns @param {readonly (readonly (string | number)[])[]} rows */
function print(title, columns, rows) {
  console.log(`\n${title}\n`)
  console.log(`| ${columns.join(' | ')} |\n| ${columns.map(() => '---').join(' | ')} |`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}

function measureCpu() {
  for (const { name, command } of runTimes) {
    const [program = '', ...args] = command
    const output = execFileSync(program, [...args, path.join(folder, 'measure.mjs')], { encoding: 'utf8' })
    /** @type {Record<string, Record<string, number>>} */
    const found = JSON.parse(output.trim().split('\n').at(-1) ?? '{}')
    const subjects = Object.keys(found['GET'] ?? {})
    const columns = ['µs of CPU per request', ...subjects]
    const rows = Object.entries(found).map(([kind, costs]) => [
      kind,
      ...subjects.map((subject) => (costs[subject] ?? NaN).toFixed(1)),
    ])
    print(`In process, ${name}`, columns, rows)
  }
}

console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
const all = values.set === undefined
if (all || values.set === 'cpu') measureCpu()
if (all || values.set === 'sockets') {
  for (const { name, command } of runTimes.filter(({ name: one }) => !one.startsWith('Node'))) {
    const rows = await measureSockets(command)
    print(
      `Over sockets, 50 connections, ${name}`,
      ['subject', 'route', 'requests/s', 'µs of CPU per request', 'of Hono + zod'],
      rows,
    )
  }
}
if (all || values.set === 'start') {
  print(
    'Start of one file, to the first response, Node',
    ['subject', 'KB', 'ms of CPU', 'MB of RSS'],
    await measureStarts(values.node),
  )
}
