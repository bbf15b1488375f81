import { assertOpen } from '../boot/seal.ts'
import type { SettingName } from '../context/context.ts'
import { addNotFoundHandler } from '../context/not-found-handler.ts'
import { createError } from '../errors.ts'
import { isAsyncFunction, isFunction, isRecord, makeAssignable, typeName } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import { createChildLogger } from '../logging/request-log.ts'
import { warn } from '../logging/warnings.ts'
import { Place } from '../place.ts'
import { defaultErrorHandler } from '../request/errors/default-error-handler.ts'
import type { CompilerFinder } from '../routes/schemas/compilers.ts'
import { kApp, kContext } from '../symbols.ts'
import { Registration } from './registration.ts'

/** What an app lets plugins set for a context and what lies below it: handlers, compilers, formatters, factories. */
export class SettingRegistration extends Registration {
  setErrorHandler(fn: unknown): this {
    const place = new Place(this.setErrorHandler)
    const { settings, app } = this[kContext]
    assertOpen(app, 'set an error handler')
    if (!isFunction(fn)) throw createError('ERROR_HANDLER_NOT_FN', { type: typeName(fn) })
    if (settings.errorHandler !== null && !app.options.allowErrorHandlerOverride) {
      throw createError('ERROR_HANDLER_ALREADY_SET', { first: settings.errorHandler.place.toString() })
    }
    if (settings.errorHandler !== null) {
      const first = settings.errorHandler.place.toString()
      warn('ERROR_HANDLER_REPLACED', { place: place.toString(), first })
    }
    settings.errorHandler = { value: fn, place }
    return this
  }

  setNotFoundHandler(first?: unknown, second?: unknown): this {
    const place = new Place(this.setNotFoundHandler)
    const context = this[kContext]
    assertOpen(context.app, 'set a not-found handler')
    const [options, handler] = isFunction(first) ? [{}, first] : [first, second]
    addNotFoundHandler(this[kApp].notFoundHandlers, { options, handler, context, place })
    return this
  }

  setValidatorCompiler(fn: AnyFunction): this {
    return setSetting(this, 'validatorCompiler', fn)
  }

  setSerializerCompiler(fn: AnyFunction): this {
    return setSetting(this, 'serializerCompiler', fn)
  }

  setReplySerializer(fn: AnyFunction): this {
    return setSetting(this, 'replySerializer', fn)
  }

  setChildLoggerFactory(fn: AnyFunction): this {
    return setSetting(this, 'childLoggerFactory', fn)
  }

  setGenReqId(fn: AnyFunction): this {
    return setSetting(this, 'genReqId', fn)
  }

  setSchemaErrorFormatter(fn: AnyFunction): this {
    if (!isFunction(fn) || isAsyncFunction(fn)) {
      throw createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: typeName(fn) })
    }
    return setSetting(this, 'schemaErrorFormatter', fn.bind(this[kContext].instance))
  }

  setSchemaController(controller: Readonly<Record<string, unknown>>): this {
    const { settings, app } = this[kContext]
    assertOpen(app, 'set a schema controller')
    const inherited = this[kContext].setting('schemaController')
    // A factory that the controller does not bring is that of the context above.
    const compilersFactory = { ...factoriesOf(inherited), ...factoriesOf(controller) }
    settings.schemaController = { ...inherited, ...controller, compilersFactory }
    this[kContext].bucket()
    return this
  }

  get validatorCompiler(): unknown {
    return this[kContext].setting('validatorCompiler') ?? compilersInForce(this)?.validator
  }

  get serializerCompiler(): unknown {
    return this[kContext].setting('serializerCompiler') ?? compilersInForce(this)?.serializer
  }

  get schemaErrorFormatter(): unknown {
    return this[kContext].setting('schemaErrorFormatter') ?? undefined
  }

  get childLoggerFactory(): unknown {
    return this[kContext].setting('childLoggerFactory') ?? createChildLogger
  }

  get genReqId(): unknown {
    return this[kContext].setting('genReqId') ?? this[kApp].genReqId
  }

  get errorHandler(): unknown {
    return this[kContext].setting('errorHandler')?.value ?? defaultErrorHandler
  }
}

/** Before all plugins have loaded, which compilers will be in force is not known. */
function compilersInForce(instance: SettingRegistration): ReturnType<CompilerFinder['inForce']> | undefined {
  const context = instance[kContext]
  return context.app.phase === 'loading' ? undefined : instance[kApp].compilers.inForce(context)
}

makeAssignable(SettingRegistration.prototype, ['schemaErrorFormatter'])

function setSetting<
  T extends SettingRegistration,
  K extends Exclude<SettingName, 'errorHandler' | 'schemaController' | 'serialization'>,
>(instance: T, name: K, fn: AnyFunction): T {
  const { settings, app } = instance[kContext]
  assertOpen(app, `set ${name}`)
  if (!isFunction(fn)) throw createError('SETTING_NOT_FN', { name, type: typeName(fn) })
  settings[name] = fn
  return instance
}

function factoriesOf(
  controller: Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, unknown>> {
  const factories = controller?.['compilersFactory']
  return isRecord(factories) ? factories : {}
}
