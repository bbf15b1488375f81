import { isOfPackage } from '../../call-site.ts'
import type { SettingName } from '../../context/context.ts'
import { createError } from '../../errors.ts'
import { isAsyncFunction, isFunction, isRecord, recordOf, typeName, type AnyFunction } from '../../guards.ts'
import { createChildLogger } from '../../logging/request-log.ts'
import { warn } from '../../logging/warnings.ts'
import { refuseOptions } from '../../options/option-row.ts'
import { defaultErrorHandler } from '../../request/errors/send-error.ts'
import { checkOptionNames, checkUndefined } from '../../routes/check-route.ts'
import { checkRouteHooks } from '../../routes/define-route.ts'
import type { CompilerFinder } from '../../routes/schemas/compilers.ts'
import type { SettingMembers } from '../../types/settings.ts'
import { kApp, kContext } from '../../symbols.ts'
import { registration, type Call, type Instance, type Members } from './members.ts'

/** The hooks that a not-found handler may have. */
const NOT_FOUND_HOOKS = ['preValidation', 'preHandler'] as const

export const settingMembers: Members<
  Exclude<keyof SettingMembers, 'addHook'> | 'schemaErrorFormatter' | 'genReqId'
> = {
  setErrorHandler: registration('set an error handler', ({ app, context, callSite }, fn: unknown) => {
    const [earlier] = context.errorHandlers
    if (!isFunction(fn)) throw createError('ERROR_HANDLER_NOT_FN', { type: typeName(fn) })
    if (earlier !== undefined) {
      const first = String(earlier.callSite)
      if (!app.options.allowErrorHandlerOverride) throw createError('ERROR_HANDLER_ALREADY_SET', { first })
      warn('ERROR_HANDLER_REPLACED', { callSite, first })
    }
    context.errorHandlers.unshift({ fn, callSite })
  }),

  setNotFoundHandler: registration(
    'set a not-found handler',
    ({ app: { notFoundHandlers, queue }, context, callSite }, ...given: readonly unknown[]) => {
      const [first, second] = given
      const [options, handler] = isFunction(first) ? [{}, first] : [first, second]
      // A first argument that is neither options nor a handler is hardly meant as options.
      if (options != null && !isRecord(options)) {
        throw createError('ERROR_HANDLER_NOT_FN', { type: typeName(options) })
      }
      if (handler !== undefined && !isFunction(handler)) {
        throw createError('ERROR_HANDLER_NOT_FN', { type: typeName(handler) })
      }
      queue.noteTurn()
      const { prefix } = context
      const twin = notFoundHandlers.find((other) => other.context.prefix === prefix)
      if (twin !== undefined && twin.handler !== null) {
        const details = { prefix: prefix || '/', first: twin.callSite }
        throw createError('NOT_FOUND_HANDLER_ALREADY_SET', details)
      }
      const ofRoute = recordOf(options)
      checkOptionNames(`The not-found handler at ${prefix || '/'}`, ofRoute, NOT_FOUND_HOOKS, callSite)
      // Here, null and false stand for no hook, as in Fastify.
      const hooks = Object.fromEntries(
        NOT_FOUND_HOOKS.filter((name) => Object.hasOwn(ofRoute, name)).map((name) => [
          name,
          ofRoute[name] === undefined ? undefined : ofRoute[name] || [],
        ]),
      )
      const route = `of the not-found handler at ${prefix || '/'}`
      const isMissing = given.length > 0 && given.at(-1) === undefined
      const checked = isMissing ? { ...hooks, handler: undefined } : hooks
      checkUndefined({ given: checked, route, context, judged: null, callSite })
      checkRouteHooks(hooks, route, callSite, context)
      const set = { handler: handler ?? null, options: { ...ofRoute, ...hooks }, context, callSite }
      if (twin === undefined) notFoundHandlers.push(set)
      else notFoundHandlers.splice(notFoundHandlers.indexOf(twin), 1, set)
    },
    undefined,
    2,
  ),

  setValidatorCompiler: sets('validatorCompiler'),
  setSerializerCompiler: sets('serializerCompiler'),
  setReplySerializer: sets('replySerializer', isLeftOut),
  setChildLoggerFactory: sets('childLoggerFactory'),
  setGenReqId: sets('genReqId', isLeftOut),

  setSchemaErrorFormatter: registration('set schemaErrorFormatter', ({ context, callSite }, fn: unknown) => {
    if (!isFunction(fn) || isAsyncFunction(fn)) {
      throw createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: typeName(fn) })
    }
    context.set('schemaErrorFormatter', fn.bind(context.instance), callSite)
  }),

  setSchemaController: registration('set a schema controller', (registered, given: unknown) => {
    if (isLeftOut('schemaController', given, registered)) return
    const { context, callSite } = registered
    if (!isRecord(given)) refuseOptions(`a schema controller must be an object, got ${typeName(given)}`)
    const inherited = context.setting('schemaController')
    const controller: Readonly<Record<string, unknown>> = { ...given }
    // A controller without a factory inherits that of its ancestors.
    const compilersFactory = {
      ...recordOf(inherited?.['compilersFactory']),
      ...recordOf(controller['compilersFactory']),
    }
    context.set('schemaController', { ...inherited, ...controller, compilersFactory }, callSite)
    context.bucket()
  }),

  get validatorCompiler(): unknown {
    return this[kContext].setting('validatorCompiler') ?? compilersInForce(this)?.validator
  },

  get serializerCompiler(): unknown {
    return this[kContext].setting('serializerCompiler') ?? compilersInForce(this)?.serializer
  },

  get schemaErrorFormatter(): unknown {
    return this[kContext].setting('schemaErrorFormatter') ?? undefined
  },

  get childLoggerFactory(): AnyFunction | typeof createChildLogger {
    return this[kContext].setting('childLoggerFactory') ?? createChildLogger
  },

  get genReqId(): unknown {
    return this[kContext].setting('genReqId') ?? this[kApp].genReqId
  },

  get errorHandler(): AnyFunction | typeof defaultErrorHandler {
    return this[kContext].errorHandler?.fn ?? defaultErrorHandler
  },
}

/** The compilers in force are unknown until all plugins have loaded. */
function compilersInForce(instance: Instance): ReturnType<CompilerFinder['inForce']> | undefined {
  const { phase, compilers } = instance[kApp]
  return phase === 'loading' ? undefined : compilers.inForce(instance[kContext])
}

/** Whether a setting is given as nothing, and keeps its value, as in Fastify. */
function isLeftOut(name: string, given: unknown, { app, callSite }: Call): boolean {
  if ((given !== undefined && given !== null) || app.options.undefinedHooks === 'refuse') return false
  // Packages pass on what their user may leave out.
  if (!isOfPackage(callSite)) warn('SETTING_MISSING', { name, type: typeName(given), callSite })
  return true
}

function sets(
  name: Exclude<SettingName, 'schemaController' | 'serialization' | 'schemaErrorFormatter'>,
  skips: typeof isLeftOut = () => false,
): (this: Instance, fn: unknown) => Instance {
  return registration(`set ${name}`, (registered, fn: unknown) => {
    if (skips(name, fn, registered)) return
    if (!isFunction(fn)) throw createError('SETTING_NOT_FN', { name, type: typeName(fn) })
    registered.context.set(name, fn, registered.callSite)
  })
}
