import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'
import type { CloisterInstance, CloisterOptions, StrictReport } from 'cloister'
import {
  ADVICE,
  exportsOf,
  formOf,
  isAppLike,
  isFunction,
  isRecord,
  membersOf,
  type AnyFunction,
} from './app-form.ts'
import { compilerAdvice, compilerFor } from './compiler.ts'
import { watchLoading } from './watch-loading.ts'
import { findApp } from './find-app.ts'
import { printError } from './print-error.ts'
import { listenAnywhere } from './listen-anywhere.ts'
import { CommandError } from './session.ts'
import type { Session } from './session.ts'
import { addPlace } from './syntax-error.ts'

/** The members of an app that commands use. */
export interface LoadedApp extends Pick<
  CloisterInstance,
  'addresses' | 'close' | 'explain' | 'initialConfig' | 'listen' | 'log' | 'ready' | 'transport'
> {
  readonly server: EventEmitter
  readonly report: () => StrictReport | null
}

interface LoadOptions {
  /** The options of an app that is created for a plugin; the exported `options` override them. */
  readonly defaults?: CloisterOptions
  /** Is called with each app when it is made, by the file or for its plugin. */
  readonly change: (app: unknown) => void
  /** If it aborts, the app may end the process while it loads. */
  readonly ending?: AbortSignal
}

/**
 * Loads the app, uses it and closes it.
 *
 * @param given - the path from the user; `undefined` for one of the usual names
 */
export async function withApp<Result>(
  given: string | undefined,
  { folder }: Pick<Session, 'folder'>,
  use: (app: LoadedApp) => Result | Promise<Result>,
): Promise<Result> {
  const file = findApp(given, folder)
  const app = await loadApp(file, { change: listenAnywhere })
  try {
    return await use(app)
  } catch (error) {
    // Two copies of the framework, for example, or routes of which no document can be made.
    if (!isCoded(error)) throw error
    throw new CommandError(3, `the app of ${file} cannot be described: ${printError(error)}\n`, error)
  } finally {
    await app.close()
  }
}

/**
 * Loads the app that a file exports, and waits until it is ready.
 *
 * The export is `default`, `app` or `createApp`: an app; a function without parameters that returns one; or, only as
 * the default export, a plugin `(app, options)`, for which an app is created with the exported `options`.
 *
 * @throws CommandError with the code 3
 */
export async function loadApp(file: string, options: LoadOptions): Promise<LoadedApp> {
  const stopWatching = watchLoading(file)
  options.ending?.addEventListener('abort', stopWatching)
  return load(file, options).finally(stopWatching)
}

async function load(file: string, { defaults = {}, change }: LoadOptions): Promise<LoadedApp> {
  const compiler = compilerFor(file, process.execArgv)
  if (compiler !== null) await import(compiler)
  const made = new Set<unknown>()
  const add = (app: unknown): void => {
    made.add(app)
    change(app)
  }
  const app = await collectApps(add, async () => {
    const exported = await attempt(file, async () => exportsOf(await import(pathToFileURL(file).href)))
    const { default: main, app: named } = exported
    if (isAppLike(main) && isAppLike(named) && main !== named)
      process.stderr.write(`cloister: ${file} exports two apps, and the default export is used, not 'app'\n`)
    const found = await attempt(file, () => appOf(exported, made, defaults))
    const members = membersOf(found)
    if (isApp(members)) return members
    throw new CommandError(3, `${file} exports no app: ${describe(exported, found)}.\n${ADVICE}`)
  })
  await attempt(file, () => app.ready())
  return app
}

// Apps are published here when they are made, also those of another copy of the framework.
const APPS = 'fastify.initialization'

/** Runs a function, and calls another one with each app that is made meanwhile. */
async function collectApps<T>(add: (app: unknown) => void, run: () => Promise<T>): Promise<T> {
  const read = (message: unknown): void => void (isRecord(message) && add(message['fastify']))
  subscribe(APPS, read)
  try {
    return await run()
  } finally {
    unsubscribe(APPS, read)
  }
}

async function appOf(
  exported: Readonly<Record<string, unknown>>,
  made: ReadonlySet<unknown>,
  defaults: CloisterOptions,
): Promise<unknown> {
  const form = formOf(exported, made.size)
  const given = form === null ? (exported['app'] ?? exported['default']) : exported[form.name]
  if (form?.kind === 'factory' && isFunction(given)) return given()
  if (form?.kind === 'plugin' && isFunction(given)) {
    const { options } = exported
    return appAround(given, { ...defaults, ...(isRecord(options) ? options : {}) })
  }
  if (form?.kind === 'app' || form === null) return given
  return made.size === 1 ? [...made][0] : undefined
}

async function appAround(plugin: AnyFunction, options: CloisterOptions): Promise<LoadedApp> {
  const { cloister } = await import('cloister')
  const app = cloister(options)
  const register: unknown = Reflect.get(app, 'register')
  if (isFunction(register)) register.call(app, plugin)
  return app
}

function describe(exported: Readonly<Record<string, unknown>>, value: unknown): string {
  if (isRecord(value) && isFunction(value['ready']))
    return 'what it exports has no explain(); it may be of another framework'
  const names = Object.keys(exported).filter(
    (name) => name !== 'module.exports' && exported[name] !== undefined,
  )
  if (value === undefined && names.length === 0) return 'it has no exports'
  const what = value === null ? 'null' : typeof value
  return `it exports ${names.join(', ')}, and the app would be of the type ${what}`
}

async function attempt<T>(file: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CommandError) throw error
    if (error instanceof SyntaxError) await addPlace(error, file)
    const text = `${printError(error)}${compilerAdvice(file, error)}`
    throw new CommandError(3, `the app of ${file} cannot be loaded: ${text}\n`, error)
  }
}

function isCoded(error: unknown): boolean {
  return isRecord(error) && typeof error['code'] === 'string' && error['code'].startsWith('CLO_ERR_')
}

/** Whether a value is an app that commands can use. */
export function isApp(value: unknown): value is LoadedApp {
  return isAppLike(value)
}
