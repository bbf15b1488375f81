// A probe shows what an option does: the same requests to an app with the option and to one without it.
import { factory } from '../harness/subject.ts'
import type { App, InjectedResponse } from '../harness/app-shape.ts'

/** The option under test with its value, or nothing. */
export type Given = Readonly<Record<string, unknown>>

export interface Probe {
  readonly value: unknown
  /** What `see` returns without the option, and with it. */
  readonly without: unknown
  readonly with: unknown
  /** Spreads the option into those of an app or of a route, and returns what a user of the app notices. */
  readonly see: (app: Given, route: Given) => unknown
}

export type Probes = Readonly<Record<string, Probe>>

const apps: App[] = []

/** Creates an app that is closed after the test. */
export function create(options: Given = {}): App {
  const app = factory({ ...options })
  apps.push(app)
  return app
}

export async function closeAll(): Promise<void> {
  await Promise.all(apps.splice(0).map((app) => app.close().catch(() => undefined)))
}

export function probe(value: unknown, without: unknown, withIt: unknown, see: Probe['see']): Probe {
  return { value, without, with: withIt, see }
}

type Sent = Parameters<App['inject']>[0]

export const statusOf = async (app: App, request: Sent = '/'): Promise<number> =>
  (await app.inject(request)).statusCode

export const textOf = async (app: App, request: Sent = '/'): Promise<string> =>
  (await app.inject(request)).payload

export const memberOf = async (app: App, name: string, request: Sent = '/'): Promise<unknown> => {
  const value: unknown = JSON.parse(await textOf(app, request))
  return Reflect.get(Object(value), name)
}

export const headerOf = async (
  app: App,
  name: string,
  request: Sent = '/',
): Promise<InjectedResponse['headers'][string]> => (await app.inject(request)).headers[name]

/** Returns the code of the error that a function throws, or `fallback`. */
export async function codeOf(run: () => unknown, fallback = 'none'): Promise<unknown> {
  try {
    await run()
    return fallback
  } catch (error) {
    return Reflect.get(Object(error), 'code')
  }
}

export const post = (payload: string | Buffer | object, headers: Record<string, string> = {}): Given => ({
  method: 'POST',
  url: '/',
  payload,
  headers: { ...(typeof payload === 'string' ? { 'content-type': 'application/json' } : {}), ...headers },
})

export const object = (properties: object, others: object = {}): object => ({
  type: 'object',
  properties,
  ...others,
})

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
