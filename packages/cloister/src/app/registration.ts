import { asCloser } from '../boot/closer.ts'
import { assertPlugin } from '../boot/plugins/read-plugin.ts'
import { assertOpen } from '../boot/seal.ts'
import type { Context } from '../context/context.ts'
import { checkDependencies, defineDecoration, readDecorator } from '../context/decorators.ts'
import type { Decoration, DecoratorKind } from '../context/decorators.ts'
import { createHookEntry } from '../context/hook-table.ts'
import { isRequestHookName } from '../context/hook-names.ts'
import { createError } from '../errors.ts'
import { isThenable } from '../functions.ts'
import { Place } from '../place.ts'
import { kApp, kContext } from '../symbols.ts'
import type { CloisterApp } from './cloister-app.ts'

/** Every instance knows its context and the app that it is part of; both are set by whoever makes the context. */
export interface Registration {
  readonly [kContext]: Context
  readonly [kApp]: CloisterApp
}

/**
 * What an app lets plugins register: plugins, hooks and decorators.
 *
 * Instances inherit from their parent's instance, so that what a plugin sets by hand is seen below; private members
 * of the class would not be inherited, so there are none.
 */
export class Registration {
  get prefix(): string {
    return this[kContext].prefix
  }

  get pluginName(): string {
    return this[kContext].pluginNames.join(' -> ')
  }

  register(plugin: unknown, options?: unknown): this {
    const place = new Place(this.register)
    const context = this[kContext]
    assertOpen(context.app, 'register a plugin', (when) =>
      createError('ROOT_PLG_BOOTED', { action: 'register a plugin', when }),
    )
    assertPlugin(plugin, place)
    if (isThenable(plugin)) plugin.then(null, leaveToLoading)
    this[kApp].queue.add({ kind: 'plugin', plugin, options, context, place })
    return this
  }

  hasPlugin(name: string): boolean {
    return this[kContext].hasPlugin(name)
  }

  addHook(name: unknown, fn: unknown): this {
    const hook = name === 'onClose' ? asCloser(fn) : fn
    const entry = createHookEntry(name, hook, new Place(this.addHook))
    const context = this[kContext]
    const app = this[kApp]
    assertOpen(app, `add the hook '${entry.name}'`)
    if (isRequestHookName(entry.name)) app.queue.inTurn(context, () => context.hooks.add(entry))
    else if (entry.name === 'onRoute' || entry.name === 'onRegister') context.hooks.add(entry)
    else app.applicationHooks[entry.name].push({ entry, instance: context.instance })
    return this
  }

  onClose(fn: unknown): this {
    const entry = createHookEntry('onClose', asCloser(fn), new Place(this.onClose))
    this[kApp].applicationHooks.onClose.push({ entry, instance: this[kContext].instance })
    return this
  }

  decorate(name: PropertyKey, value?: unknown, dependencies?: unknown): this {
    const decoration = { name, value, place: new Place(this.decorate) }
    addDecoration(this, 'instance', decoration, dependencies)
    defineDecoration(this[kContext].instance, decoration)
    return this
  }

  decorateRequest(name: PropertyKey, value?: unknown, dependencies?: unknown): this {
    addDecoration(this, 'request', { name, value, place: new Place(this.decorateRequest) }, dependencies)
    return this
  }

  decorateReply(name: PropertyKey, value?: unknown, dependencies?: unknown): this {
    addDecoration(this, 'reply', { name, value, place: new Place(this.decorateReply) }, dependencies)
    return this
  }

  hasDecorator(name: PropertyKey): boolean {
    const { instance, decorators } = this[kContext]
    return (
      name in instance && (name !== 'use' || decorators.instance.has(name) || Object.hasOwn(instance, name))
    )
  }

  hasRequestDecorator(name: PropertyKey): boolean {
    return this[kContext].decorators.request.has(name)
  }

  hasReplyDecorator(name: PropertyKey): boolean {
    return this[kContext].decorators.reply.has(name)
  }

  getDecorator(name: PropertyKey): unknown {
    return readDecorator(this[kContext].instance, name, 'instance')
  }
}

// The names of the plugins that a context sees, under the key that tools of the ecosystem read.
Object.defineProperty(Registration.prototype, Symbol.for('registered-plugin'), {
  configurable: true,
  get(this: Registration): string[] {
    return this[kContext].lineage().flatMap(({ registeredPlugins }) => [...registeredPlugins])
  },
})

/** A module that cannot be imported is told of when the plugin loads; until then its promise is not unhandled. */
function leaveToLoading(): void {}

/** A plugin may still decorate the instance while the `onReady` hooks run. */
function addDecoration(
  instance: Registration,
  kind: DecoratorKind,
  decoration: Decoration,
  dependencies: unknown,
): void {
  const { app, decorators } = instance[kContext]
  const name = String(decoration.name)
  if (kind !== 'instance' || app.phase !== 'starting') {
    assertOpen(app, 'decorate', (when) => createError('DEC_AFTER_START', { name, when }))
  }
  checkDependencies(decorators[kind], decoration.name, dependencies)
  decorators[kind].add(decoration)
}
