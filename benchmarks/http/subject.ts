import type { AppKind } from './app-kinds.ts'
import type { Tally } from './tally.ts'

/** A server under test: listens on a free port of the loopback address and says which. */
export interface Subject {
  readonly start: (kind: AppKind, tally: Tally) => Promise<number>
}

/** The subjects by name, in the order they are printed. */
export const subjectNames = [
  'cloister',
  'cloister-strict',
  'cloister-exact',
  'cloister-wire',
  'cloister-web',
  'node-http',
  'net',
  'bun',
  'fastify5',
  'fastify4',
  'hono',
] as const

/** The name of a server under test. */
export type SubjectName = (typeof subjectNames)[number]

/** Whether a word given on the command line names a subject. */
export function isSubjectName(word: string): word is SubjectName {
  return subjectNames.some((name) => name === word)
}

/** Loads one subject; only its own modules are loaded into the process. */
export async function loadSubject(name: SubjectName): Promise<Subject> {
  switch (name) {
    case 'cloister':
      return (await import('./subjects/cloister.ts')).subject
    case 'cloister-strict':
      return (await import('./subjects/cloister-strict.ts')).subject
    case 'cloister-exact':
      return (await import('./subjects/cloister-exact.ts')).subject
    case 'cloister-wire':
      return (await import('./subjects/cloister-wire.ts')).subject
    case 'cloister-web':
      return (await import('./subjects/cloister-web.ts')).subject
    case 'hono':
      return (await import('./subjects/hono.ts')).subject
    case 'node-http':
      return (await import('./subjects/node-http.ts')).subject
    case 'net':
      return (await import('./subjects/net.ts')).subject
    case 'bun':
      return (await import('./subjects/bun.ts')).subject
    case 'fastify5':
      return (await import('./subjects/fastify5.ts')).subject
    case 'fastify4':
      return (await import('./subjects/fastify4.ts')).subject
  }
}
