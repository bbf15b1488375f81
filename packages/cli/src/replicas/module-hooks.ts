import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { appModule } from './app-module.ts'
import { isOwnModule, ofReplica, readSettings, replicaOf } from './settings.ts'

/*
 * Hooks for modules (`module.register` of Node): the file of the app becomes a facade, and each replica has its own
 * modules of the project, under URLs of their own.
 */

interface Resolved {
  readonly url: string
  readonly format?: string | null | undefined
  readonly shortCircuit?: boolean
}

interface Loaded {
  readonly format: string
  readonly source: string
  readonly shortCircuit: true
}

const APP = 'cloister-replicas:app'

/** The hook `resolve`. */
export async function resolve<Context extends { readonly parentURL?: string | undefined }>(
  specifier: string,
  context: Context,
  next: (specifier: string, context: Context) => Promise<Resolved>,
): Promise<Resolved> {
  const { parentURL } = context
  // A facade has no folder, and names its modules by URL.
  const result = await next(specifier, parentURL === APP ? { ...context, parentURL: undefined } : context)
  const settings = readSettings(process.env)
  if (settings === null || !isOwnModule(result.url) || replicaOf(result.url) !== null) return result
  const replica = replicaOf(parentURL)
  if (replica !== null) return { ...result, url: ofReplica(result.url, replica) }
  if (result.url !== pathToFileURL(settings.entry).href) return result
  return { url: APP, format: 'module', shortCircuit: true }
}

/** The hook `load`. */
export async function load<Context>(
  url: string,
  context: Context,
  next: (url: string, context: Context) => Promise<unknown>,
): Promise<unknown> {
  const settings = readSettings(process.env)
  if (url !== APP || settings === null) return next(url, context)
  const { entry, runtime } = settings
  const source = await appModule(entry, await readFile(entry, 'utf8'), pathToFileURL(entry).href, runtime)
  const loaded: Loaded = { format: 'module', source, shortCircuit: true }
  return loaded
}
