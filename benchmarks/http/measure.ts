import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { topSelfTimes } from '../support/cpu-profile.ts'
import { rotate } from '../support/statistics.ts'
import type { AppKind } from './app-kinds.ts'
import { runLoad } from './load.ts'
import type { LoadOptions } from './load.ts'
import type { Allocation, Sample } from './report.ts'
import { ServerProcess } from './server-process.ts'
import type { SubjectName } from './subject.ts'
import type { Workload } from './workload.ts'

/** How hard every workload is pressed. */
export type Pressure = Omit<LoadOptions, 'port' | 'workload'>

/** Starts a process for each subject that has one kind of application. */
export async function startServers(
  servers: ServerProcess[],
  names: readonly SubjectName[],
  kind: AppKind,
  prefix: readonly string[],
  binary: (name: SubjectName) => string,
): Promise<void> {
  for (const name of names) servers.push(await ServerProcess.start(name, kind, prefix, binary(name)))
}

/** So long does it take until the functions of a request through plugins and a logger are optimized. */
const WARM_UP_MS = 1500
const MIN_REQUESTS = 40_000
const MAX_TURNS = 20

/**
 * Measures the CPU time of every subject and workload, in rounds in which the subjects take turns. The rounds of a
 * workload follow each other, behind a warm-up: an idle process loses much of its optimized code.
 */
export async function measure(
  servers: readonly ServerProcess[],
  workloads: readonly Workload[],
  pressure: Pressure,
  rounds: number,
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const workload of workloads) {
    const subjects = serving(servers, workload)
    for (const server of subjects) await warmUp(server, workload, pressure)
    for (let round = 0; round < rounds; round += 1) {
      for (const server of rotate(subjects, round)) {
        const before = await server.cpuMicros()
        const result = await press(server, workload, pressure)
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

/** On a busy machine, the usual time has too few requests for the optimizing compiler. */
async function warmUp(server: ServerProcess, workload: Workload, pressure: Pressure): Promise<void> {
  let requests = 0
  for (let turn = 0; turn === 0 || (requests < MIN_REQUESTS && turn < MAX_TURNS); turn += 1)
    requests += (await press(server, workload, { ...pressure, durationMs: WARM_UP_MS })).requests
}

/** Counts what every subject allocates for a request, once per workload. */
export async function measureAllocation(
  servers: readonly ServerProcess[],
  workloads: readonly Workload[],
  pressure: Pressure,
): Promise<Allocation[]> {
  const allocations: Allocation[] = []
  for (const workload of workloads) {
    for (const server of serving(servers, workload)) {
      // Bun tells nothing of its collections.
      if (server.name === 'bun') continue
      await server.startAllocation()
      const { requests } = await press(server, workload, pressure)
      const { bytes, hooks, lines, spans } = await server.stopAllocation()
      allocations.push({
        subject: server.name,
        workload: workload.name,
        bytesPerRequest: bytes / requests,
        hooksPerRequest: Math.round(hooks / requests),
        linesPerRequest: Math.round(lines / requests),
        spansPerRequest: Math.round(spans / requests),
      })
    }
  }
  return allocations
}

/** Profiles every subject and workload, writes the profiles to a folder and prints the dearest functions. */
export async function profile(
  servers: readonly ServerProcess[],
  workloads: readonly Workload[],
  pressure: Pressure,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const workload of workloads) {
    for (const server of serving(servers, workload)) {
      await server.startProfile()
      await press(server, workload, pressure)
      const recorded = await server.stopProfile()
      const file = join(folder, `${server.name}-${workload.name.replaceAll(/\W+/g, '-')}.cpuprofile`)
      writeFileSync(file, JSON.stringify(recorded))
      console.log(`\n${server.name}, ${workload.name}: self time (${file})`)
      for (const { name, share } of topSelfTimes(recorded, 25)) {
        console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`)
      }
    }
  }
}

/** The processes that have the application which a workload is sent to. */
function serving(servers: readonly ServerProcess[], { app = 'bare' }: Workload): ServerProcess[] {
  return servers.filter(({ kind }) => kind === app)
}

function press(server: ServerProcess, workload: Workload, pressure: Pressure): ReturnType<typeof runLoad> {
  return runLoad({ port: server.port, workload, ...pressure })
}
