import { isFunction, makeAssignable } from '../guards.ts'
import { kApp, kAppState, kContext, kPluginNames, kRoutePrefix } from '../symbols.ts'
import type { CloisterInstance } from '../types/instance.ts'
import type { MethodShortcuts } from '../types/routing.ts'
import { registrationMembers } from './methods/registrations.ts'
import { lifecycleMembers } from './methods/lifecycle.ts'
import { OF_PLUGINS, type Instance } from './methods/members.ts'
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
  // added by `defineShortcuts`
  | keyof MethodShortcuts

/** `object` if every public member has an implementation; otherwise the names of the missing ones. */
type Complete<Missing> = [Missing] extends [never] ? object : Missing

/** Members that tools of the Fastify ecosystem read, under the keys that they use. */
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
 * An instance inherits from its parent's instance, so descendants see properties that a plugin sets by hand. It is not
 * a class: user code runs with an instance as its `this`, and its stack frames would show the name of an internal
 * class.
 */
export const INSTANCE_PROTOTYPE: Complete<Exclude<keyof CloisterInstance, Implemented>> = assemble()

/** Makes a prototype of all members. They are not enumerable, as in a class, and methods get their names. */
function assemble(): object {
  const prototype = {}
  const groups = [registrationMembers, lifecycleMembers, routingMembers, settingMembers, ECOSYSTEM_MEMBERS]
  for (const members of groups) {
    for (const name of Reflect.ownKeys(members)) {
      const descriptor = Object.getOwnPropertyDescriptor(members, name)
      const method: unknown = descriptor?.value
      if (isFunction(method) && typeof name === 'string') {
        Object.defineProperty(method, 'name', { value: name, configurable: true })
      }
      Object.defineProperty(prototype, name, { ...descriptor, enumerable: false })
    }
  }
  defineShortcuts(prototype)
  makeAssignable(prototype, ['log', 'initialConfig', 'server', 'routing', 'schemaErrorFormatter'])
  return prototype
}

/** Methods with a shortcut in Fastify 4.x. */
const SHORTCUTS_OF_4 = ['delete', 'get', 'head', 'patch', 'post', 'put', 'options', 'trace']

/** Members that Fastify 4.x does not have. Plugins written for 4.x may add decorators with these names. */
const OWN_MEMBERS: ReadonlySet<PropertyKey> = new Set([
  ...(
    'use cloisterVersion fetch ws mount addHttpMethod supportedMethods ' +
    'getDecorator override schemaErrorFormatter'
  ).split(' '),
  ...COMMON_METHODS.map((method) => method.toLowerCase()).filter((name) => !SHORTCUTS_OF_4.includes(name)),
])

/**
 * Decides which members decorators may replace: on an app, those that Fastify 4.x does not have; on requests and
 * replies, all except the fields that the framework sets for each of them.
 */
export const BUILT_INS: BuiltIns = {
  instance: {
    has: (name) => name in INSTANCE_PROTOTYPE && !OF_PLUGINS.has(name),
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
