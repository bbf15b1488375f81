import { readFile } from 'node:fs/promises'
import { appModule } from './app-module.ts'
import { isOwnModule, readSettings, replicaOf } from './settings.ts'

const APP = '\0cloister-replicas:app'

interface Resolution {
  readonly id: string
  readonly external?: unknown
}

/** The part of a Vite plugin's context that is used. */
interface PluginContext {
  resolve(source: string, importer: string | undefined, options: object): Promise<Resolution | null>
}

/** A plugin for `vitest.config.ts`; see {@link replicas}. */
export interface ReplicasPlugin {
  readonly name: string
  readonly enforce: 'pre'
  resolveId(
    this: PluginContext,
    source: string,
    importer: string | undefined,
    options: object,
  ): Promise<string | null>
  load(id: string): Promise<string | null>
}

/**
 * Returns the plugin by which Vitest gives tests several replicas of the app, when `cloister replicas` runs them. It
 * changes nothing otherwise.
 *
 * @example
 * ```ts fragment
 * // vitest.config.ts
 * import { replicas } from '@cloister/cli/replicas'
 * import { defineConfig } from 'vitest/config'
 *
 * export default defineConfig({ plugins: [replicas()] })
 * ```
 */
export function replicas(): ReplicasPlugin {
  return {
    name: 'cloister-replicas',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const settings = readSettings(process.env)
      if (settings === null || source.startsWith('\0') || replicaOf(source) !== null)
        return settings === null ? null : keep(source)
      const resolved = await this.resolve(source, withoutQuery(importer), { ...options, skipSelf: true })
      if (resolved === null || Boolean(resolved.external) || !isOwnModule(resolved.id)) return null
      const replica = replicaOf(importer)
      if (replica !== null) return `${withoutQuery(resolved.id)}?replica=${replica}`
      return resolved.id === settings.entry ? APP : null
    },
    async load(id) {
      const settings = readSettings(process.env)
      if (id !== APP || settings === null) return null
      const { entry } = settings
      return appModule(entry, await readFile(entry, 'utf8'), entry, '@cloister/cli/replicas')
    },
  }
}

/** A module of a replica is found already. */
const keep = (source: string): string | null => (source.startsWith('\0') ? null : source)

function withoutQuery(id: string): string
function withoutQuery(id: string | undefined): string | undefined
function withoutQuery(id: string | undefined): string | undefined {
  return id?.replace(/\?.*$/, '')
}
