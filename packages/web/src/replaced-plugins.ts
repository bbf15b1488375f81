import type { Cloister, Context } from 'cloister'
import { membersOf } from 'cloister/inspect'

import { WebOptionError } from './errors.ts'

/** The plugins that do what a part does. */
const REPLACED: Readonly<Record<string, string>> = {
  '@fastify/cors': 'cors',
  '@fastify/helmet': 'headers',
  '@fastify/csrf-protection': 'csrf',
  '@fastify/cookie': 'cookies',
  '@fastify/etag': 'conditional',
  '@fastify/compress': 'compress and decompress',
  '@fastify/rate-limit': 'limit',
}

/**
 * Refuses plugins of Fastify that do the same as this one: those that are loaded so far, in any context.
 *
 * @throws WebOptionError that names the plugin and where it is registered
 */
export function refuseReplacedPlugins(app: Cloister<Context>): void {
  for (const { name, callSite } of loaded(membersOf(app).explain().plugins)) {
    const part = REPLACED[name]
    if (part === undefined) continue
    const where = callSite === null ? '' : ` (registered at ${callSite})`
    const problem = `both '${name}'${where} and '@cloister/web' (${part}) are registered, and would both do the same work; remove '${name}'`
    throw new WebOptionError('CLO_ERR_WEB_PLUGIN_TWICE', problem)
  }
}

/** A plugin of the app, and those that it registered. */
interface Loaded {
  readonly name: string
  readonly callSite: string | null
  readonly children: readonly Loaded[]
}

const loaded = (plugin: Loaded): readonly Loaded[] => [plugin, ...plugin.children.flatMap(loaded)]
