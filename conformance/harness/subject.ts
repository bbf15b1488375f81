// Which framework the suites run on. Cloister is the subject; suites are developed against Fastify 4.x and 5.x:
// CLOISTER_SUBJECT=fastify4 npx vitest run conformance
import type { App, Factory, Plugin, PluginMetadata } from './app-shape.ts'

/** The frameworks that a suite can run on. */
export type SubjectName = 'cloister' | 'fastify4' | 'fastify5'

function isSubjectName(value: string): value is SubjectName {
  return value === 'cloister' || value === 'fastify4' || value === 'fastify5'
}

function readSubjectName(): SubjectName {
  const wanted = process.env['CLOISTER_SUBJECT'] ?? 'cloister'
  if (isSubjectName(wanted)) return wanted
  throw new Error(`CLOISTER_SUBJECT=${wanted} is not a subject; use cloister, fastify4 or fastify5`)
}

/** The framework under test. */
export const subjectName: SubjectName = readSubjectName()

/** Whether the subject is a Fastify, to prove a suite. */
export const isPeer: boolean = subjectName !== 'cloister'

/** Returns an error code of the subject: `code('VALIDATION')` is `CLO_ERR_VALIDATION`, or Fastify's name for it. */
export function code(words: string): string {
  return `${isPeer ? 'FST_ERR_' : 'CLO_ERR_'}${words}`
}

function isFactory(value: unknown): value is Factory {
  return typeof value === 'function'
}

function isWrapper(value: unknown): value is (plugin: Plugin, metadata?: PluginMetadata | string) => Plugin {
  return typeof value === 'function'
}

async function importDefault(specifier: string): Promise<unknown> {
  const module: unknown = await import(/* @vite-ignore */ specifier)
  return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
}

const loadedFactory = await importDefault(subjectName)
const loadedWrapper = await importDefault(isPeer ? 'fastify-plugin' : '@cloister/plugin')

/** `CLOISTER_TRANSPORT=auto` runs every suite with that option. */
const transport = process.env['CLOISTER_TRANSPORT']
const chosen = transport === undefined || isPeer ? {} : { transport }

/** Creates an app of the subject. Prefer a suite's `createApp`, which also closes its apps. */
export function factory(options?: Record<string, unknown>): App {
  if (!isFactory(loadedFactory)) throw new Error(`${subjectName} has no factory as its default export`)
  return loadedFactory({ ...chosen, ...options })
}

/** The subject's helper to wrap plugins: what the plugin registers belongs to its parent context. */
export function wrap(plugin: Plugin, metadata?: PluginMetadata | string): Plugin {
  if (!isWrapper(loadedWrapper)) throw new Error(`${subjectName} has no plugin-wrapping helper`)
  return metadata === undefined ? loadedWrapper(plugin) : loadedWrapper(plugin, metadata)
}
