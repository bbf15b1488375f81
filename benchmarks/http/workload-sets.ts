import { listWorkloads } from './lists.ts'
import { productionWorkloads, serviceWorkloads } from './production.ts'
import { subjectNames } from './subject.ts'
import type { SubjectName } from './subject.ts'
import { tlsWorkloads, workloads, type Workload } from './workload.ts'

/** The names of the sets of workloads, of which a run takes one. */
export const setNames = ['routes', 'tls', 'lists', 'production', 'service'] as const

/** The name of a set. */
export type SetName = (typeof setNames)[number]

/** Whether a word given on the command line names a set. */
export function isSetName(word: string): word is SetName {
  return setNames.some((name) => name === word)
}

const frameworks: readonly SubjectName[] = ['cloister', 'cloister-wire', 'node-http', 'fastify5', 'fastify4']

const SUBJECTS: Readonly<Record<SetName, readonly SubjectName[]>> = {
  routes: subjectNames.filter((name) => name !== 'cloister-web' && name !== 'hono'),
  tls: ['cloister', 'cloister-wire', 'node-http', 'net', 'fastify5'],
  lists: frameworks,
  production: ['cloister', 'cloister-wire', 'cloister-exact', 'fastify5'],
  service: ['cloister-web', 'cloister-wire', 'fastify5', 'hono', 'net'],
}

/** The servers that know a set: the plugins of `production` are published for one line of Fastify. */
export function subjectsOf(set: SetName): readonly SubjectName[] {
  return SUBJECTS[set]
}

/** The workloads of each set, in the order they are run and printed. */
export const workloadSets: Readonly<Record<SetName, readonly Workload[]>> = {
  routes: workloads,
  tls: tlsWorkloads(),
  lists: listWorkloads,
  production: productionWorkloads,
  service: serviceWorkloads,
}
