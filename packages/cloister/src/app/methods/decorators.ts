import { assertOpen } from '../../boot/seal.ts'
import { checkDependencies, defineDecoration, readDecorator } from '../../context/decorators.ts'
import type { DecoratorKind } from '../../context/decorators.ts'
import type { DecoratorMembers } from '../../types/members/decorators.ts'
import { createError } from '../../errors.ts'
import { kContext } from '../../symbols.ts'
import { withCallSite } from './members.ts'
import type { Instance, Members } from './members.ts'

type Decorate = (this: Instance, name: PropertyKey, value?: unknown, dependencies?: unknown) => Instance

/** Decorators of instances, requests and replies. */
export const decoratorMembers: Members<keyof DecoratorMembers> = {
  decorate: decorates('decorate', 'instance'),
  decorateRequest: decorates('decorateRequest', 'request'),
  decorateReply: decorates('decorateReply', 'reply'),

  hasDecorator(name: PropertyKey): boolean {
    const { instance, decorators } = this[kContext]
    return (
      name in instance && (name !== 'use' || decorators.instance.has(name) || Object.hasOwn(instance, name))
    )
  },

  hasRequestDecorator(name: PropertyKey): boolean {
    return this[kContext].decorators.request.has(name)
  },

  hasReplyDecorator(name: PropertyKey): boolean {
    return this[kContext].decorators.reply.has(name)
  },

  getDecorator(name: PropertyKey): unknown {
    return readDecorator(this[kContext].instance, name, 'instance')
  },
}

function decorates(method: string, kind: DecoratorKind): Decorate {
  return withCallSite(
    method,
    (instance, callSite, name: PropertyKey, value?: unknown, dependencies?: unknown) => {
      const decoration = { name, value, callSite }
      const { app, decorators, instance: target } = instance[kContext]
      // A plugin may still decorate the instance while the `onReady` hooks run.
      if (kind !== 'instance' || app.phase !== 'starting') {
        assertOpen(app, 'decorate', (when) => createError('DEC_AFTER_START', { name: String(name), when }))
      }
      checkDependencies(decorators[kind], name, dependencies)
      decorators[kind].add(decoration)
      if (kind === 'instance') defineDecoration(target, decoration)
      return instance
    },
  )
}
