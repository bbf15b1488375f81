import { isFunction, makeAssignable } from '../guards.ts'
import { kApp, kAppState, kContext, kPluginNames, kRoutePrefix } from '../symbols.ts'
import type { CloisterInstance } from '../types/instance.ts'
import type { MethodShortcuts } from '../types/routing.ts'
import { registrationMembers } from './methods/registrations.ts'
import { lifecycleMembers } from './methods/lifecycle.ts'
import type { Instance } from './methods/members.ts'
import { defineShortcuts, routingMembers } from './methods/routing.ts'
import { settingMembers } from './methods/settings.ts'
import type { BuiltIns } from '../context/context.ts'
import type { BuiltInMembers } from '../context/decorators.ts'
import { ReplyImpl } from '../request/reply.ts'
import { RequestImpl } from '../request/request.ts'
import { COMMON_METHODS } from '../routes/methods.ts'

type Implemented =
  | keyof typeof registrationMembers
  | keyof typeof lifecycleMembers
  | keyof typeof routingMembers
  | keyof typeof settingMembers
  // From a table.
  | keyof MethodShortcuts

/** An object with all members of the public interface; where some have no implementation, their names. */
type Complete<Missing> = [Missing] extends [never] ? object : Missing

/** What tools of the ecosystem read of an instance, under the keys by which they find it. */
const ECOSYSTEM_MEMBERS: object & ThisType<Instance> = {
  get [Symbol.for('registered-plugin')](): string[] {
    return this[kContext].visiblePlugins()
  },
  get [kPluginNames](): readonly string[] {
    return this[kContext].pluginNames
  },
  get [kRoutePrefix](): string {
    return this[kContext].prefix
  },
  get [kAppState]() {
    const { phase, transport } = this[kApp]
    return {
      started: phase !== 'loading',
      ready: phase === 'ready',
      closing: phase === 'closing' || phase === 'closed',
      listening: Reflect.get(transport.node?.server ?? {}, 'listening') === true,
    }
  },
}

/**
 * The prototype of every instance.
 *
 * Instances inherit from their parent's instance, so that what a plugin sets by hand is seen below. It is no class:
 * user code is called with an instance as its `this`, and its stack frames name no class of ours.
 */
export const INSTANCE_PROTOTYPE: Complete<Exclude<keyof CloisterInstance, Implemented>> = assemble()

/** Puts members on a prototype; like those of a class they are not enumerable, and methods have their names. */
function addMembers(prototype: object, members: object): void {
  for (const name of Reflect.ownKeys(members)) {
    const descriptor = Object.getOwnPropertyDescriptor(members, name)
    const method: unknown = descriptor?.value
    if (isFunction(method) && typeof name === 'string') {
      Object.defineProperty(method, 'name', { value: name, configurable: true })
    }
    Object.defineProperty(prototype, name, { ...descriptor, enumerable: false })
  }
}

function assemble(): object {
  const prototype = {}
  for (const members of [
    registrationMembers,
    lifecycleMembers,
    routingMembers,
    settingMembers,
    ECOSYSTEM_MEMBERS,
  ])
    addMembers(prototype, members)
  defineShortcuts(prototype)
  makeAssignable(prototype, ['log', 'initialConfig', 'server', 'routing', 'schemaErrorFormatter'])
  return prototype
}

/** Shortcuts of the methods that 4.x has shortcuts of. */
const SHORTCUTS_OF_4 = ['delete', 'get', 'head', 'patch', 'post', 'put', 'options', 'trace']

/** Members of apps that 4.x does not have: plugins written for it may bring decorators of these names. */
const OWN_MEMBERS: ReadonlySet<PropertyKey> = new Set([
  ...(
    'use cloisterVersion fetch ws mount addHttpMethod supportedMethods ' +
    'getDecorator override schemaErrorFormatter'
  ).split(' '),
  ...COMMON_METHODS.map((method) => method.toLowerCase()).filter((name) => !SHORTCUTS_OF_4.includes(name)),
])

/**
 * What decorators may take the place of. Of an app: what 4.x does not have. Of requests and replies: whatever is no
 * field that the framework sets for each of them.
 */
export const BUILT_INS: BuiltIns = {
  instance: {
    // It only says which plugin brings it.
    has: (name) => name in INSTANCE_PROTOTYPE && name !== 'use',
    isTaken: (name) => name in INSTANCE_PROTOTYPE && !OWN_MEMBERS.has(name),
  },
  request: membersOf(RequestImpl.prototype, ['params', 'body', 'validationError']),
  reply: membersOf(ReplyImpl.prototype, ['request']),
}

function membersOf(prototype: object, fields: readonly PropertyKey[]): BuiltInMembers {
  return {
    has: (name) => name in prototype || fields.includes(name),
    isTaken: (name) => fields.includes(name),
  }
}
