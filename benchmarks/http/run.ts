/**
 * `npm run http -w @cloister/benchmarks -- --help`: three routes, lists, or applications in
 * production on Cloister, raw `node:http` and the peers.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { nodeVersion } from '../support/node.ts'
import { describeLoad, pinServerAndLoad } from '../support/pin.ts'
import { least, median } from '../support/statistics.ts'
import { appKinds } from './app-kinds.ts'
import { measure, measureAllocation, profile, startServers } from './measure.ts'
import type { Pressure } from './measure.ts'
import { printAllocation, printReport, printSummary } from './report.ts'
import { printSchemaCost } from './schema-cost.ts'
import type { ServerProcess } from './server-process.ts'
import { isSubjectName, subjectNames } from './subject.ts'
import type { SubjectName } from './subject.ts'
import { isSetName, setNames, subjectsOf, workloadSets } from './workload-sets.ts'
import type { SetName } from './workload-sets.ts'
import type { Workload } from './workload.ts'

const help = `Options:
  --subjects a,b      servers to run, of ${subjectNames.join(',')} (all that know the set)
  --set name          what is asked for: ${setNames.join(', ')} (routes)
  --only text         only the workloads whose name contains the text, or one of several texts: 'a|b'
  --rounds n          rounds; subjects alternate inside a round (5)
  --duration ms       load per subject, route and round (2000, with --slices 400)
  --slices n          n short rounds, of which the least is printed and not the median: for shared machines
  --connections n     keep-alive connections (32)
  --pipelining n      requests in flight per connection (1)
  --node path         node binary of the servers (this one)
  --bun path          binary of Bun, for the subject bun, which is left out without it
  --cpu-profile dir   afterwards profile each subject and route, write .cpuprofile files, print top functions
  --json file         write all samples`

const { values } = parseArgs({
  options: {
    subjects: { type: 'string' },
    set: { type: 'string', default: 'routes' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    duration: { type: 'string' },
    slices: { type: 'string' },
    connections: { type: 'string', default: '32' },
    pipelining: { type: 'string', default: '1' },
    node: { type: 'string', default: process.execPath },
    bun: { type: 'string' },
    'cpu-profile': { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else await run()

async function run(): Promise<void> {
  if (!isSetName(values.set)) throw new Error(`No set "${values.set}"; known: ${setNames.join(', ')}`)
  const names = readSubjects(values.set)
  const parts = values.only.split('|')
  const workloads = workloadSets[values.set].filter(({ name }) => parts.some((part) => name.includes(part)))
  if (workloads.length === 0) throw new Error(`No workload of ${values.set} has "${values.only}" in its name`)
  const pressure: Pressure = {
    durationMs: Number(values.duration ?? (values.slices === undefined ? 2000 : 400)),
    connections: Number(values.connections),
    pipelining: Number(values.pipelining),
  }
  const version = nodeVersion(values.node)
  const pinning = pinServerAndLoad()
  console.log(`Node ${version}; ${pinning.description}; load average before: ${describeLoad()}`)
  const servers: ServerProcess[] = []
  try {
    const kinds = appKinds.filter((kind) => workloads.some(({ app }) => (app ?? 'bare') === kind))
    const binary = (name: SubjectName): string => (name === 'bun' ? (values.bun ?? 'bun') : values.node)
    for (const kind of kinds) await startServers(servers, names, kind, pinning.prefix, binary)
    await runAll(servers, names, workloads, pressure)
  } finally {
    for (const server of servers) server.stop()
  }
}

async function runAll(
  servers: readonly ServerProcess[],
  names: readonly SubjectName[],
  workloads: readonly Workload[],
  pressure: Pressure,
): Promise<void> {
  const samples = await measure(servers, workloads, pressure, Number(values.slices ?? values.rounds))
  const pick = values.slices === undefined ? median : least
  printReport(samples, names, workloads, pick)
  if (values.set === 'lists') printSchemaCost(samples, names)
  const allocations = await measureAllocation(servers, workloads, pressure)
  printAllocation(allocations, names, workloads)
  printSummary(samples, allocations, names, workloads, pick)
  console.log(`\nLoad average after: ${describeLoad()}`)
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ samples, allocations }, null, 2))
  if (values['cpu-profile'] !== undefined) await profile(servers, workloads, pressure, values['cpu-profile'])
}

/** The servers that are asked for, each of which must know the set. */
function readSubjects(set: SetName): readonly SubjectName[] {
  const known = subjectsOf(set)
  if (values.subjects === undefined) {
    return known.filter((name) => name !== 'bun' || values.bun !== undefined)
  }
  return values.subjects.split(',').map((word) => {
    if (!isSubjectName(word)) throw new Error(`No subject "${word}"; known: ${subjectNames.join(', ')}`)
    if (!known.includes(word)) throw new Error(`${word} has no ${set}; these have: ${known.join(', ')}`)
    return word
  })
}
