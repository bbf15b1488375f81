import { assertOpen } from '../../boot/seal.ts'
import {
  checkDependencies,
  defineDecoration,
  readDecorator,
  type DecoratorKind,
} from '../../context/decorators.ts'
import { checkNeeds, readGuard, twice } from '../../context/guard.ts'
import { guardHook } from '../../request/guard-hook.ts'
import type { GuardMembers } from '../../types/guards.ts'
import type { DecoratorMembers, OverrideMembers } from '../../types/decorate.ts'
import { createError } from '../../errors.ts'
import type { PluginMembers } from '../../types/plugin.ts'
import { kContext } from '../../symbols.ts'
import { OWN_MEMBERS, registration, withCall, type Instance, type Members } from './members.ts'
import { addSharedSchema, sharedSchema, sharedSchemas } from '../../context/shared-schemas.ts'
import type { SchemaMembers } from '../../types/refs.ts'
import { isRequestHookName } from '../../hooks/names.ts'
import { createHookEntry } from '../../hooks/hook-entry.ts'
import { isFunction, isLate, isRecord, typeName, type AnyFunction } from '../../guards.ts'
import { checkOptionNames } from '../../routes/check-route.ts'
import { addParser, checkParserKey, PARSER_OPTIONS } from '../../body/add-parser.ts'
import { createJsonParser, parseText, withCallback, type Poisoning } from '../../body/default-parsers.ts'
import type { ParserMembers } from '../../types/content-type.ts'
import { assertPlugin } from '../../boot/plugins/plugin.ts'
import { assertPluginOptions } from '../../boot/plugins/plugin-options.ts'

/**
 * Members that add something to a context (plugins, hooks, decorators, shared schemas, parsers) or list what it has.
 */
export const registrationMembers: Members<
  | Exclude<keyof PluginMembers, 'ready'>
  | keyof DecoratorMembers
  | keyof OverrideMembers
  | keyof GuardMembers
  | keyof SchemaMembers
  | keyof ParserMembers
  | 'prefix'
  | 'pluginName'
  | 'addHook'
  | 'onClose'
> = {
  get prefix(): string {
    return this[kContext].prefix
  },

  get pluginName(): string {
    return this[kContext].pluginNames.join(' -> ')
  },

  register: registration(
    'register a plugin',
    ({ app, context, callSite }, plugin: unknown, options?: unknown) => {
      assertPluginOptions(plugin, options, callSite, app.options.undefinedHooks === 'refuse')
      for (const name of assertPlugin(plugin, callSite)) context.routeOptions.add(name)
      // Its rejection is ignored until the queue loads the plugin, and reports it.
      isLate(plugin)
      app.queue.register({ plugin, options, context, callSite })
    },
    'ROOT_PLG_BOOTED',
  ),

  hasPlugin(name: string): boolean {
    return this[kContext].hasPlugin(name)
  },

  /** Waits for earlier registrations: with a callback that is queued, or as a promise that loads them at once. */
  after: withCall(({ instance, app, context, callSite }, fn?: unknown) => {
    if (fn === undefined) return app.queue.load()
    if (!isFunction(fn)) throw createError('PLUGIN_CALLBACK_NOT_FN', { method: 'after', type: typeName(fn) })
    assertOpen(app, 'add an after callback', 'ROOT_PLG_BOOTED')
    app.queue.after(fn, context, callSite)
    return instance
  }),

  addHook: withCall(({ instance, app, context, callSite }, name: unknown, fn: unknown) => {
    const entry = createHookEntry(name, name === 'onClose' ? toCloseHook(fn) : fn, callSite, context)
    assertOpen(app, `add the hook '${entry.name}'`)
    if (isRequestHookName(entry.name)) {
      app.queue.noteTurn()
      app.queue.inTurn(() => context.addHook(entry))
    } else if (entry.name === 'onRoute' || entry.name === 'onRegister') context.addHook(entry)
    else app.applicationHooks[entry.name].push(entry)
    return instance
  }),

  onClose: withCall(({ instance, app, context, callSite }, fn: unknown) => {
    app.applicationHooks.onClose.push(createHookEntry('onClose', toCloseHook(fn), callSite, context))
    return instance
  }),

  addGuard: registration(
    (name: unknown, _run: unknown, _options?: unknown) => `add the guard '${String(name)}'`,
    ({ app, context, callSite }, name: unknown, run: unknown, options?: unknown) => {
      const given = readGuard(name, run, options, context, callSite)
      const guard = app.overrides.replaceGuard(given, context)
      app.guards.add(guard, context)
      app.queue.inTurn(() => {
        checkNeeds(guard, context)
        context.addHook(guardHook(guard))
      })
    },
  ),

  decorate: decorates('instance'),
  decorateRequest: decorates('request'),
  decorateReply: decorates('reply'),

  override: registration(
    (name: PropertyKey, _value: unknown) => `override '${String(name)}'`,
    ({ app, context, callSite }, name: PropertyKey, value: unknown) =>
      app.overrides.add(name, value, context, callSite),
  ),

  hasDecorator(name: PropertyKey): boolean {
    const { instance, decorators } = this[kContext]
    if (!(name in instance)) return false
    return !OWN_MEMBERS.has(name) || decorators.instance.has(name) || Object.hasOwn(instance, name)
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

  addSchema: registration('add a shared schema', ({ context, callSite }, schema: unknown) =>
    addSharedSchema(context, schema, callSite),
  ),

  getSchema(id: string): unknown {
    return sharedSchema(this[kContext], id)
  },

  getSchemas(): unknown {
    return sharedSchemas(this[kContext])
  },

  addContentTypeParser: registration(
    'addContentTypeParser',
    ({ context, callSite }, types: unknown, first: unknown, second?: unknown) => {
      const what = `The parser of '${[types].flat().join(', ')}'`
      if (isRecord(first)) checkOptionNames(what, first, PARSER_OPTIONS, callSite)
      addParser(context, callSite, types, first, second)
    },
    'CTP_INSTANCE_ALREADY_STARTED',
  ),

  hasContentTypeParser(type: unknown): boolean {
    return this[kContext].parsers.find(checkParserKey(type)) !== null
  },

  removeContentTypeParser: registration(
    'removeContentTypeParser',
    ({ context }, types: unknown) => {
      for (const type of [types].flat()) context.parsers.remove(checkParserKey(type))
    },
    'CTP_INSTANCE_ALREADY_STARTED',
  ),

  removeAllContentTypeParsers: registration(
    'removeAllContentTypeParsers',
    ({ context }) => context.parsers.removeAll(),
    'CTP_INSTANCE_ALREADY_STARTED',
  ),

  getDefaultJsonParser(onProtoPoisoning?: Poisoning, onConstructorPoisoning?: Poisoning): AnyFunction {
    const { options, exact } = this[kContext].app
    const parse = createJsonParser({
      ...exact,
      onProtoPoisoning: onProtoPoisoning ?? options.onProtoPoisoning,
      onConstructorPoisoning: onConstructorPoisoning ?? options.onConstructorPoisoning,
    })
    return withCallback(parse, options)
  },

  get defaultTextParser(): AnyFunction {
    return withCallback(parseText, this[kContext].app.options)
  },
}

type Decorate = (this: Instance, name: PropertyKey, value?: unknown, dependencies?: unknown) => Instance

const NAME_TYPES: readonly string[] = ['string', 'symbol', 'number']

function decorates(kind: DecoratorKind): Decorate {
  return withCall((call, name: PropertyKey, value?: unknown, dependencies?: unknown) => {
    const { app, context, callSite } = call
    const { decorators } = context
    // Plugins may still decorate the instance while the `onReady` hooks run.
    if (kind !== 'instance' || app.phase !== 'starting') {
      assertOpen(app, String(name), 'DEC_AFTER_START')
    }
    if (!NAME_TYPES.includes(typeof name)) throw createError('DEC_NAME_INVALID', { type: typeName(name) })
    checkDependencies(decorators[kind], name, dependencies)
    const given = { name, value, callSite }
    const guard = kind === 'request' ? app.guards.find(name, context) : undefined
    if (guard !== undefined) throw twice(name, guard.callSite, callSite)
    const decoration = kind === 'instance' ? app.overrides.apply(given, context) : given
    decorators[kind].add(decoration)
    if (kind === 'instance') defineDecoration(context.instance, decoration)
    return call.instance
  })
}

/**
 * Returns an `onClose` hook that disposes of a resource and waits for it. Returns any other value unchanged;
 * `createHookEntry` then rejects it.
 */
function toCloseHook(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const dispose = methodOf(given, Symbol.asyncDispose) ?? methodOf(given, Symbol.dispose)
  if (dispose === null) return given
  return async (): Promise<void> => {
    await dispose.call(given)
  }
}

function methodOf(resource: object, name: symbol): AnyFunction | null {
  const method: unknown = Reflect.get(resource, name)
  return isFunction(method) ? method : null
}
