import type { Host } from './app.ts'

/** An application before its boot. */
export interface BootSubject {
  readonly host: Host
  readonly ready: () => PromiseLike<unknown>
  readonly inject: (request: { method: 'POST'; url: string; payload: object }) => Promise<{
    readonly statusCode: number
    readonly body: string
  }>
}

/** The subjects by name, in the order they are printed. */
export const bootSubjectNames = [
  'cloister-auto',
  'cloister-eager',
  'cloister-always',
  'cloister-always-eager',
  'fastify5',
  'fastify4',
] as const

/** The name of a subject. */
export type BootSubjectName = (typeof bootSubjectNames)[number]

/** Whether a word given on the command line names a subject. */
export function isBootSubjectName(word: string): word is BootSubjectName {
  return bootSubjectNames.some((name) => name === word)
}

/** Imports a framework and gives the function that makes an application of it. */
export async function importSubject(name: BootSubjectName): Promise<() => BootSubject> {
  switch (name) {
    case 'fastify5': {
      const { fastify } = await import('fastify5')
      return () => {
        const app = fastify()
        return { host: app, ready: () => app.ready(), inject: (request) => app.inject(request) }
      }
    }
    case 'fastify4': {
      const { fastify } = await import('fastify4')
      return () => {
        const app = fastify()
        return { host: app, ready: () => app.ready(), inject: (request) => app.inject(request) }
      }
    }
    case 'cloister-auto':
    case 'cloister-eager':
    case 'cloister-always':
    case 'cloister-always-eager': {
      const { cloister } = await import('cloister')
      const schemaCompilation = name.endsWith('eager') ? 'eager' : 'auto'
      const codeGeneration = name.includes('always') ? 'always' : 'hot'
      return () => {
        const app = cloister({ schemaCompilation, codeGeneration })
        return { host: app, ready: () => app.ready(), inject: (request) => app.inject(request) }
      }
    }
  }
}
