import { inherit, isFunction, makeAssignable } from '../guards.ts'
import { kApp, kAppState, kContext, kMembers, kPluginNames, kRoutePrefix } from '../symbols.ts'
import type { CloisterInstance } from '../types/instance.ts'
import type { MethodShortcuts, OwnShortcuts } from '../types/routing.ts'
import { registrationMembers } from './methods/registrations.ts'
import { lifecycleMembers } from './methods/lifecycle.ts'
import { OWN_MEMBERS, type Instance } from './methods/members.ts'
import { defineShortcuts, routingMembers } from './methods/routing.ts'
import { settingMembers } from './methods/settings.ts'
import type { BuiltIns } from '../context/context.ts'
import type { BuiltInMembers } from '../context/decorators.ts'
import { ReplyImpl } from '../request/reply.ts'
import { RequestImpl } from '../request/request.ts'

type Implemented =
  | keyof typeof registrationMembers
  | keyof typeof lifecycleMembers
  | keyof typeof routingMembers
  | keyof typeof settingMembers
  // added by `defineShortcuts`
  | keyof MethodShortcuts
  | keyof OwnShortcuts

/** `object` if every public member has an implementation; otherwise the names of the missing ones. */
type Complete<Missing> = [Missing] extends [never] ? object : Missing

/** Members that tools read: those of the Fastify ecosystem under the keys that they use. */
const MEMBERS_FOR_TOOLS: object & ThisType<Instance> = {
  get [kMembers](): object {
    const { [kApp]: app, [kContext]: context } = this
    return inherit(INSTANCE_PROTOTYPE, { [kApp]: { value: app }, [kContext]: { value: context } })
  },
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
  const groups = [registrationMembers, lifecycleMembers, routingMembers, settingMembers, MEMBERS_FOR_TOOLS]
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
  const computed =
    'log initialConfig server routing schemaErrorFormatter supportedMethods cloisterVersion fetch transport'
  makeAssignable(prototype, computed.split(' '))
  return prototype
}

/** Members that only Fastify 4.x or only 5.x has. Plugins written for the other may use the names for decorators. */
const MEMBERS_OF_ONE_LINE: ReadonlySet<PropertyKey> = new Set(
  'addHttpMethod supportedMethods getDecorator query trace getDefaultRoute setDefaultRoute'.split(' '),
)

/** The members of requests that no version of Fastify has. */
const OWN_OF_REQUESTS: readonly PropertyKey[] = ['lastEventId', 'req']

/**
 * Decides which members decorators may replace: on an app, those that a version of Fastify does not have; on requests
 * and replies, all except the fields that the framework sets for each of them.
 *
 * @param readsProxies - whether requests have `ips`, by whose existence plugins find out whether `ip` is the client's
 */
export function builtIns(readsProxies: boolean): BuiltIns {
  const unknown = readsProxies ? OWN_OF_REQUESTS : [...OWN_OF_REQUESTS, 'ips']
  return {
    instance: {
      has: isOfFastify,
      isTaken: (name) => isOfFastify(name) && !MEMBERS_OF_ONE_LINE.has(name),
    },
    request: membersOf(RequestImpl.prototype, ['params', 'body', 'validationError'], unknown),
    reply: membersOf(ReplyImpl.prototype, ['request']),
  }
}

function isOfFastify(name: PropertyKey): boolean {
  return name in INSTANCE_PROTOTYPE && !OWN_MEMBERS.has(name)
}

function membersOf(
  prototype: object,
  fields: readonly PropertyKey[],
  unknown: readonly PropertyKey[] = [],
): BuiltInMembers {
  return {
    has: (name) => (name in prototype && !unknown.includes(name)) || fields.includes(name),
    isTaken: (name) => fields.includes(name),
  }
}
