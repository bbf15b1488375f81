import { addMembers, makeAssignable } from '../guards.ts'
import { kContext } from '../symbols.ts'
import type { CloisterInstance } from '../types/instance.ts'
import type { RouteShorthandMethod } from '../types/peer.ts'
import { decoratorMembers } from './methods/decorators.ts'
import { hookMembers } from './methods/hooks.ts'
import { lifecycleMembers } from './methods/lifecycle.ts'
import type { Instance } from './methods/members.ts'
import { parserMembers } from './methods/parsers.ts'
import { pluginMembers } from './methods/plugins.ts'
import { defineShortcuts, routingMembers } from './methods/routing.ts'
import { schemaMembers } from './methods/schemas.ts'
import { settingMembers } from './methods/settings.ts'

/** The shortcuts of methods come from a table. */
type Shortcut = {
  [Name in keyof CloisterInstance]: CloisterInstance[Name] extends RouteShorthandMethod ? Name : never
}[keyof CloisterInstance]

type Implemented =
  | keyof typeof decoratorMembers
  | keyof typeof hookMembers
  | keyof typeof lifecycleMembers
  | keyof typeof parserMembers
  | keyof typeof pluginMembers
  | keyof typeof routingMembers
  | keyof typeof schemaMembers
  | keyof typeof settingMembers
  | Shortcut

/** An object with all members of the public interface; where some have no implementation, their names. */
type Complete<Missing> = [Missing] extends [never] ? object : Missing

/** The names of the plugins that a context sees, under the key that tools of the ecosystem read. */
const ECOSYSTEM_MEMBERS: object & ThisType<Instance> = {
  get [Symbol.for('registered-plugin')](): string[] {
    return this[kContext].lineage().flatMap(({ registeredPlugins }) => [...registeredPlugins])
  },
}

/**
 * The prototype of every instance.
 *
 * Instances inherit from their parent's instance, so that what a plugin sets by hand is seen below. It is no class:
 * user code is called with an instance as its `this`, and its stack frames name no class of ours.
 */
export const INSTANCE_PROTOTYPE: Complete<Exclude<keyof CloisterInstance, Implemented>> = assemble()

function assemble(): object {
  const prototype = {}
  const groups = [
    decoratorMembers,
    hookMembers,
    lifecycleMembers,
    parserMembers,
    pluginMembers,
    routingMembers,
    schemaMembers,
    settingMembers,
    ECOSYSTEM_MEMBERS,
  ]
  for (const group of groups) addMembers(prototype, group)
  defineShortcuts(prototype)
  makeAssignable(prototype, ['log', 'initialConfig', 'server', 'routing', 'schemaErrorFormatter'])
  return prototype
}
