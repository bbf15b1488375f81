/**
 * `npm run http -w @cloister/benchmarks -- --help`: three routes, or lists, on Cloister, raw `node:http`
 * and the peers.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { topSelfTimes } from '../support/cpu-profile.ts'
import { nodeVersion } from '../support/node.ts'
import { describeLoad, pinServerAndLoad } from '../support/pin.ts'
import { rotate } from '../support/statistics.ts'
import { runLoad } from './load.ts'
import { printReport, type Sample } from './report.ts'
import { printSchemaCost } from './schema-cost.ts'
import { ServerProcess } from './server-process.ts'
import { isSubjectName, subjectNames } from './subject.ts'
import { isSetName, setNames, workloadSets } from './workload-sets.ts'
import type { Workload } from './workload.ts'

const help = `Options:
  --subjects a,b      servers to run (${subjectNames.join(',')})
  --set name          what is asked for: ${setNames.join(' or ')} (routes)
  --rounds n          rounds; subjects alternate inside a round (5)
  --duration ms       load per subject, route and round (2000)
  --connections n     keep-alive connections (32)
  --pipelining n      requests in flight per connection (1)
  --node path         node binary of the servers (this one)
  --cpu-profile dir   afterwards profile each subject and route, write .cpuprofile files, print top functions
  --json file         write all samples`

const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: subjectNames.join(',') },
    set: { type: 'string', default: 'routes' },
    rounds: { type: 'string', default: '5' },
    duration: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '32' },
    pipelining: { type: 'string', default: '1' },
    node: { type: 'string', default: process.execPath },
    'cpu-profile': { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else await run()

async function run(): Promise<void> {
  const names = values.subjects.split(',').map((word) => {
    if (!isSubjectName(word)) throw new Error(`No subject "${word}"; known: ${subjectNames.join(', ')}`)
    return word
  })
  if (!isSetName(values.set)) throw new Error(`No set "${values.set}"; known: ${setNames.join(', ')}`)
  const workloads = workloadSets[values.set]
  const version = nodeVersion(values.node)
  const pinning = pinServerAndLoad()
  console.log(`Node ${version}; ${pinning.description}; load average before: ${describeLoad()}`)
  const servers: ServerProcess[] = []
  try {
    for (const name of names) servers.push(await ServerProcess.start(name, pinning.prefix, values.node))
    await warmUp(servers, workloads)
    const samples = await measure(servers, workloads)
    printReport(samples, names, workloads)
    if (values.set === 'lists') printSchemaCost(samples, names)
    console.log(`\nLoad average after: ${describeLoad()}`)
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(samples, null, 2))
    if (values['cpu-profile'] !== undefined) await profile(servers, workloads, values['cpu-profile'])
  } finally {
    for (const server of servers) server.stop()
  }
}

async function warmUp(servers: readonly ServerProcess[], workloads: readonly Workload[]): Promise<void> {
  for (const server of servers) {
    for (const workload of workloads) await press(server, workload, Math.min(1000, Number(values.duration)))
  }
}

async function measure(servers: readonly ServerProcess[], workloads: readonly Workload[]): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const workload of workloads) {
      for (const server of rotate(servers, round)) {
        const before = await server.cpuMicros()
        const result = await press(server, workload, Number(values.duration))
        const cpu = (await server.cpuMicros()) - before
        samples.push({
          subject: server.name,
          workload: workload.name,
          requestsPerSecond: result.requests / result.seconds,
          cpuMicrosPerRequest: cpu / result.requests,
        })
      }
    }
  }
  return samples
}

async function profile(
  servers: readonly ServerProcess[],
  workloads: readonly Workload[],
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const server of servers) {
    for (const workload of workloads) {
      await server.startProfile()
      await press(server, workload, Number(values.duration))
      const recorded = await server.stopProfile()
      const file = join(folder, `${server.name}-${workload.name.replaceAll(/\W+/g, '-')}.cpuprofile`)
      writeFileSync(file, JSON.stringify(recorded))
      console.log(`\n${server.name}, ${workload.name}: self time (${file})`)
      for (const { name, share } of topSelfTimes(recorded, 15)) {
        console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`)
      }
    }
  }
}

function press(server: ServerProcess, workload: Workload, durationMs: number): ReturnType<typeof runLoad> {
  return runLoad({
    port: server.port,
    workload,
    connections: Number(values.connections),
    pipelining: Number(values.pipelining),
    durationMs,
  })
}
