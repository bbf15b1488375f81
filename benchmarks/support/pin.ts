import { execFileSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'

/** Where a process may run: the words to put before its command, and what to print about it. */
export interface Pinning {
  readonly prefix: readonly string[]
  readonly description: string
}

/**
 * Pins the server to the first core and the calling process (the load) to the second, with `taskset`.
 * Without `taskset`, or on one core, nothing is pinned and the description says so.
 */
export function pinServerAndLoad(): Pinning {
  if (availableParallelism() < 2) return { prefix: [], description: 'one core, nothing pinned' }
  try {
    execFileSync('taskset', ['-a', '-cp', '1', String(process.pid)], { stdio: 'ignore' })
    return { prefix: ['taskset', '-c', '0'], description: 'server on core 0, load on core 1' }
  } catch {
    return { prefix: [], description: 'taskset not usable here, nothing pinned' }
  }
}

/** The three load averages of the machine, so that a reader can see how quiet it was. */
export function describeLoad(): string {
  return loadavg()
    .map((value) => value.toFixed(2))
    .join(' ')
}
