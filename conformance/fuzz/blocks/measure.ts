import { existsSync, readFileSync } from 'node:fs'

const OWN_TIME = '/proc/thread-self/schedstat'

/** CPU time of the process in milliseconds. */
function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** CPU time of this thread in milliseconds, in steps of some; that of the process where the system does not count it. */
function threadMs(): number {
  if (!existsSync(OWN_TIME)) return processMs()
  return Number(readFileSync(OWN_TIME, 'utf8').split(' ')[0]) / 1e6
}

/** Below this the steps of the thread's time would count for much. */
const SHORT_MS = 5

/**
 * The least CPU time of some runs, in milliseconds: of the thread, without that of the collector's other threads, where
 * the runs are long enough for it.
 *
 * @param prepare - makes what a run gets, which is not measured
 * @param enough - a time that is short enough to stop at
 */
export function leastMs<Input>(
  run: (input: Input) => unknown,
  prepare: () => Input,
  { attempts, enough }: { readonly attempts: number; readonly enough: number },
): number {
  const cpuMs = enough < SHORT_MS ? processMs : threadMs
  let least = Infinity
  for (let attempt = 0; attempt < attempts && least >= enough; attempt++) {
    const input = prepare()
    const start = cpuMs()
    run(input)
    least = Math.min(least, cpuMs() - start)
  }
  return least
}
