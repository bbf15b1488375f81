import { listWorkloads } from './lists.ts'
import { workloads, type Workload } from './workload.ts'

/** The names of the sets of workloads, of which a run takes one. */
export const setNames = ['routes', 'lists'] as const

/** The name of a set. */
export type SetName = (typeof setNames)[number]

/** Whether a word given on the command line names a set. */
export function isSetName(word: string): word is SetName {
  return setNames.some((name) => name === word)
}

/** The workloads of each set, in the order they are run and printed. */
export const workloadSets: Readonly<Record<SetName, readonly Workload[]>> = {
  routes: workloads,
  lists: listWorkloads,
}
