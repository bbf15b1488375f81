// Apps with the plugin, for tests that speak to them as browsers do.
import { web } from '@cloister/web'
import type { WebOptions } from '@cloister/web'
import type { App } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'
import { describeTransports } from '../harness/transports.ts'
import type { Suite } from '../harness/transports.ts'

/** Registers the plugin on an app. */
export async function register(app: App, options: WebOptions | object = {}): Promise<void> {
  await registerPlugin(app, web, options)
}

/** A key that is long enough. */
export const KEY: string = 'k'.repeat(32)
/** Another one. */
export const OTHER_KEY: string = 'o'.repeat(32)

/** Calls a method that the plugin gives to replies. */
export function callReply(reply: object, name: string, ...args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(reply, name)
  if (typeof method !== 'function') throw new Error(`replies have no ${name}`)
  return Reflect.apply(method, reply, args)
}

/** Runs a suite over every transport, HTTP/2 too. */
export function describeWeb(name: string, define: (suite: Suite) => void): void {
  describeTransports(name, define, ['in-process', 'socket', 'http2', 'memory', 'fetch'])
}
