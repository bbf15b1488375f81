import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { callMethod, isFunction, objectOf, ownFrames, readyInsteadOfListening } from '@cloister/cli/internal'
import type { AnyFunction, Failure } from '@cloister/cli/internal'

/*
 * `cloister migrate` runs this module for an app file. It loads the app of either framework, starts it without a
 * port, and closes it. The recorder, which is loaded first, then sends the drawn requests.
 */

const PATIENCE_MS = 30_000
const NAMES = [
  'default',
  'app',
  'createApp',
  'buildApp',
  'build',
  'createServer',
  'buildServer',
  'server',
  'fastify',
  'init',
]

const [, , file = '', name = 'fastify'] = process.argv
const apps: object[] = []
subscribe('fastify.initialization', (message) => {
  const app: unknown = Reflect.get(Object(message), 'fastify')
  if (typeof app !== 'object' || app === null) return
  apps.push(app)
  readyInsteadOfListening(app)
})
setTimeout(() => end(new Error(`the app is not ready after ${PATIENCE_MS} ms`)), PATIENCE_MS)
process.on('uncaughtException', end)
process.on('unhandledRejection', end)
await open().then(() => end(null), end)

async function open(): Promise<void> {
  const loaded: unknown = await import(pathToFileURL(path.resolve(file)).href)
  const exported = { ...objectOf(objectOf(loaded)['default']), ...objectOf(loaded) }
  const found = NAMES.find((one) => isFunction(exported[one]))
  const main = exported[found ?? '']
  // A file that starts its app itself has created it by now, or will soon.
  if (apps.length === 0 && isFunction(main)) await openBy(main, found === 'default')
  for (let turns = 0; apps.length === 0 && turns < 100; turns++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const app = apps.at(-1)
  if (app === undefined) throw new Error('the file makes no app')
  await callMethod(app, 'ready')
  await callMethod(app, 'close')
}

/** Calls the export of the file: a function that creates the app, or a plugin, for which an app is created. */
async function openBy(main: AnyFunction, isDefault: boolean): Promise<void> {
  if (main.length === 0 || !isDefault) await main({})
  if (apps.length > 0) return
  const { createRequire } = await import('node:module')
  const framework: unknown = createRequire(path.resolve(file))(name)
  const factory: unknown = isFunction(framework) ? framework : Reflect.get(Object(framework), 'default')
  const app: unknown = isFunction(factory) ? factory() : null
  if (typeof app === 'object' && app !== null) await callMethod(app, 'register', main)
}

function end(error: unknown): void {
  const folder = process.env['CLOISTER_MIGRATE_RECORD']
  if (error !== null && folder !== undefined) {
    const { code = '', message = String(error), stack = '' } = objectOf(error)
    const [callSite = ''] = ownFrames(String(stack))
    const line: Failure = { kind: 'failed', code: String(code), message: String(message), callSite }
    appendFileSync(path.join(folder, `${process.pid}-open.jsonl`), `${JSON.stringify(line)}\n`)
  }
  // oxlint-disable-next-line unicorn/no-process-exit -- an app may hold timers and connections that it never ends
  process.exit(error === null ? 0 : 1)
}
