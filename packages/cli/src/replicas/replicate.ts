import { appendFileSync } from 'node:fs'
import { facadeOf, isAppLike } from './facade.ts'
import { readSettings, type ReplicaSettings } from './settings.ts'

type Module = Readonly<Record<string, unknown>>

/** Loads the modules of one more instance of the app. */
export type LoadReplica = (id: string) => Promise<Module>

/** Writes which replica has got what, for the report. */
export type Trace = (line: object) => void

/** What the facades of one process share. */
export interface Replicas {
  readonly settings: ReplicaSettings
  readonly load: LoadReplica
  readonly trace: Trace
  /** how many apps the tests have got so far */
  apps: number
}

/**
 * Returns the exports of an app's file for its tests: an app that one of them exports or makes is a facade of several
 * instances, whose modules were loaded once for each.
 */
export async function replicate(load: LoadReplica): Promise<Module> {
  const settings = readSettings(process.env)
  if (settings === null) return load('0')
  const replicas: Replicas = {
    settings,
    load,
    trace: (line) => appendFileSync(settings.trace, `${JSON.stringify(line)}\n`),
    apps: 0,
  }
  const modules: Module[] = []
  for (let id = 0; id < settings.count; id++) modules.push(await load(String(id)))
  const [first = {}] = modules
  const names = Object.keys(first)
  return Object.fromEntries(names.map((name) => [name, replicateExport(name, modules, replicas)]))
}

function replicateExport(name: string, modules: readonly Module[], replicas: Replicas): unknown {
  const values = modules.map((one) => one[name])
  const [first] = values
  if (isAppLike(first)) return facadeOf(values.filter(isAppLike), null, replicas)
  if (typeof first !== 'function' || isClass(first)) return first
  const call = (value: unknown, given: unknown[]): unknown =>
    typeof value === 'function' ? Reflect.apply(value, undefined, given) : undefined
  return (...given: unknown[]): unknown => {
    const made = call(first, given)
    const makeOne = async (id: string): Promise<unknown> => call((await replicas.load(id))[name], given)
    const others = (): unknown[] => values.slice(1).map((value) => call(value, given))
    if (isAppLike(made)) return facadeOf([made, ...others()], makeOne, replicas)
    if (!(made instanceof Promise)) return made
    return made.then(async (app: unknown) =>
      isAppLike(app) ? facadeOf([app, ...(await Promise.all(others()))], makeOne, replicas) : app,
    )
  }
}

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value))
