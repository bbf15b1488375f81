/** How the tests of one run get their app, given to their process by `cloister replicas`. */
export interface ReplicaSettings {
  /** the file of the app */
  readonly entry: string
  /** how many instances of it there are */
  readonly count: number
  /** decides which instance gets a request, and when one is restarted */
  readonly seed: number
  /** the file that gets a line for each request */
  readonly trace: string
  /** the URL of this package's entry for replicas */
  readonly runtime: string
}

/** The environment variable with the settings, as JSON. */
export const VARIABLE = 'CLOISTER_REPLICAS'

/** Returns the settings of this process; `null` if `cloister replicas` has not started it. */
export function readSettings(env: NodeJS.ProcessEnv): ReplicaSettings | null {
  const text = env[VARIABLE]
  if (text === undefined) return null
  const given: unknown = JSON.parse(text)
  return {
    entry: textOf(given, 'entry'),
    count: numberOf(given, 'count'),
    seed: numberOf(given, 'seed'),
    trace: textOf(given, 'trace'),
    runtime: textOf(given, 'runtime'),
  }
}

/** Returns a member of any value; `undefined` if it has none. */
export function memberOf(value: unknown, name: PropertyKey): unknown {
  const hasMembers = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return hasMembers ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name)
  return typeof text === 'string' ? text : ''
}

function numberOf(value: unknown, name: string): number {
  const number = memberOf(value, name)
  return typeof number === 'number' ? number : 0
}

/** A line of the trace: what a replica was asked, and where in the tests. */
export interface TraceLine {
  /** the number of the app that the test has got, from 0 */
  readonly app: number
  readonly what: string
  readonly replica: number
  /** the file and line of the test; empty if it is not known */
  readonly at: string
}

/** Reads one line of a trace. */
export function readTraceLine(text: string): TraceLine {
  const line: unknown = JSON.parse(text)
  return {
    app: numberOf(line, 'app'),
    what: textOf(line, 'what'),
    replica: numberOf(line, 'replica'),
    at: textOf(line, 'at'),
  }
}

const KEY = 'replica'

/** Returns the URL of a module of one instance of the app. */
export function ofReplica(url: string, id: string): string {
  const target = new URL(url)
  target.searchParams.set(KEY, id)
  return target.href
}

/** Returns the instance that a module belongs to; `null` if to none. */
export function replicaOf(url: string | undefined): string | null {
  const query = url === undefined ? -1 : url.indexOf('?')
  return url === undefined || query === -1 ? null : new URLSearchParams(url.slice(query)).get(KEY)
}

/** Whether each instance has a module of its own: those of the project, not its dependencies. */
export function isOwnModule(url: string): boolean {
  return !url.includes('/node_modules/') && !url.startsWith('node:') && !url.startsWith('data:')
}
