import type { CallSite } from '../../call-site.ts'
import type { Context } from '../../context/context.ts'
import type { DecoratorTable } from '../../context/decorators.ts'
import { createError } from '../../errors.ts'
import { dependencies } from '../../dependencies.ts'
import { nearestName } from '../../suggest.ts'
import { INTERFACE_LEVELS } from './read-plugin.ts'
import type { Plugin } from './read-plugin.ts'

/** The kinds of decorators, with their names in messages. */
const HOLDERS = [
  ['instance', 'the app'],
  ['request', 'Request'],
  ['reply', 'Reply'],
] as const

/**
 * Checks what a plugin asks of the context that it is registered in. The errors name the nearest name that is there,
 * and the place where the plugin was registered.
 *
 * @throws `CLO_ERR_PLUGIN_VERSION_MISMATCH`, `CLO_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED`,
 * `CLO_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE`
 */
export function checkRequirements(plugin: Plugin, context: Context, callSite: CallSite): void {
  const { meta } = plugin
  const name = meta.name ?? plugin.name
  const place = ` ('${name}' is registered at ${callSite.toString()})`
  if (meta.range !== undefined && !fitsOneLevel(meta.range)) {
    throw createError('PLUGIN_VERSION_MISMATCH', {
      name: plugin.name,
      wanted: meta.range,
      installed: INTERFACE_LEVELS.join(' and '),
      hint: `; install a version of the plugin that is made for one of them${place}`,
    })
  }
  for (const dependency of meta.dependencies) {
    if (context.hasPlugin(dependency)) continue
    const hint = `${nearestName(dependency, pluginNamesOf(context))}${place}`
    throw createError('PLUGIN_DEPENDENCY_NOT_REGISTERED', { dependency, name, hint })
  }
  for (const [kind, holder] of HOLDERS) {
    const table = context.decorators[kind]
    const missing = meta.decorators[kind].find((decorator) => !table.has(decorator))
    if (missing === undefined) continue
    const decorator = String(missing)
    const near = nearestName(decorator, decoratorNamesOf(table))
    throw createError('PLUGIN_NOT_PRESENT_IN_INSTANCE', {
      decorator,
      wantedBy: ` required by '${name}'`,
      kind: holder,
      hint: `; register the plugin that adds it before${near}${place}`,
    })
  }
}

function fitsOneLevel(range: string): boolean {
  return INTERFACE_LEVELS.some((level) =>
    dependencies.semver.satisfies(level, range, { includePrerelease: true }),
  )
}

/** The names of the plugins that a context sees. */
function pluginNamesOf(context: Context): string[] {
  return context.lineage().flatMap(({ registeredPlugins }) => [...registeredPlugins])
}

/** The names of the decorators that a context sees. */
function decoratorNamesOf(table: DecoratorTable): string[] {
  const names = [...table.own].map(({ name }) => name).filter((name) => typeof name === 'string')
  return table.parent === null ? names : [...names, ...decoratorNamesOf(table.parent)]
}
