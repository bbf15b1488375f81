import type { RouteRef, SchemaEngine, SchemaStore, SerializeFunction } from '@cloister/schema'
import { isPlainObject, lowerHeaderNames, remember } from '@cloister/schema/internal'

import type { Context } from '../../context/context.ts'
import { visibleSchemas } from '../../context/shared-schemas.ts'
import type { SchemaServices } from '../../context/services.ts'
import { createError } from '../../errors.ts'
import { isFunction, isRecord, recordOf, typeName, type AnyFunction } from '../../guards.ts'
import { withInt64 } from './int64/with-int64.ts'
import { libraryOf } from '../../libraries/validate.ts'
import type { ResponseValidation } from '../../libraries/library-schemas.ts'
import type { RoutePlan } from '../../request/route-plan.ts'
import type { AdHocCompiler, AdHocCompilers, SchemaUse } from '../../request/services.ts'
import type { RouteRecord } from '../route-record.ts'

/** The application's schema compilers for a route; `null` means the schema engine. */
export interface CompilersInCharge {
  readonly validator: AnyFunction | null
  readonly serializer: AnyFunction | null
}

/**
 * Finds the compilers of routes: those of the route, then of the nearest context, then those that the factories of a
 * schema controller build, once per context.
 */
export class CompilerFinder {
  readonly #built = new Map<Context, CompilersInCharge>()
  readonly #inForce = new Map<Context, Readonly<Record<keyof CompilersInCharge, AnyFunction>>>()

  compilersOf(record: Pick<RouteRecord, 'context' | 'options'>): CompilersInCharge {
    const { context, options } = record
    const own = (name: string): AnyFunction | null => (isFunction(options[name]) ? options[name] : null)
    const built = remember(this.#built, context, () => this.#fromController(context))
    return {
      validator: own('validatorCompiler') ?? context.setting('validatorCompiler') ?? built.validator,
      serializer: own('serializerCompiler') ?? context.setting('serializerCompiler') ?? built.serializer,
    }
  }

  /** Returns the compilers of a context for plugins: those of the application, or the engine's. */
  inForce(context: Context): Readonly<Record<keyof CompilersInCharge, AnyFunction>> {
    return remember(this.#inForce, context, () => {
      const { validator, serializer } = this.compilersOf({ context, options: {} })
      return {
        validator: validator ?? engineValidator(context),
        serializer: serializer ?? engineSerializer(context),
      }
    })
  }

  #fromController(context: Context): CompilersInCharge {
    const controller = context.setting('schemaController')
    const factories = isRecord(controller?.['compilersFactory']) ? controller['compilersFactory'] : {}
    const { ajv, serializerOpts } = context.app.options
    const build = (name: string, options: unknown): AnyFunction | null => {
      const factory = factories[name]
      if (!isFunction(factory)) return null
      const compiler = factory(visibleSchemas(context), options)
      if (isFunction(compiler)) return compiler
      const problem = `schemaController.compilersFactory.${name} must return a function, got ${typeName(compiler)}`
      throw createError('INIT_OPTS_INVALID', { problem })
    }
    return {
      validator: build('buildValidator', { customOptions: {}, plugins: [], ...ajv }),
      serializer: build('buildSerializer', serializerOpts),
    }
  }
}

/** Creates the compilers for schemas that handlers pass at run time. */
export function createAdHocCompilers(): AdHocCompilers {
  return {
    validator: new OncePerRoute((plan) => plan.validatorCompiler ?? engineValidator(plan.context)),
    serializer: new OncePerRoute(
      ({ serializerCompiler, context, serialization }) =>
        serializerCompiler ?? engineSerializer(context, { serialization }),
    ),
  }
}

/** Compiles each schema once per route. */
class OncePerRoute implements AdHocCompiler {
  readonly #compiled = new WeakMap<RoutePlan, WeakMap<object, AnyFunction>>()
  readonly #compilerOf: (plan: RoutePlan) => AnyFunction

  constructor(compilerOf: (plan: RoutePlan) => AnyFunction) {
    this.#compilerOf = compilerOf
  }

  find(plan: RoutePlan, schema: object): AnyFunction | undefined {
    return this.#compiled.get(plan)?.get(schema)
  }

  compile(plan: RoutePlan, schema: object, use: SchemaUse): AnyFunction {
    const ofRoute = remember(this.#compiled, plan, () => new WeakMap<object, AnyFunction>())
    return remember(ofRoute, schema, () => {
      const compiled = this.#compilerOf(plan)({ schema, ...use })
      if (!isFunction(compiled)) throw new TypeError('the schema compiler must return a function')
      return compiled
    })
  }
}

/** Returns the engine as a validator compiler with the interface of those of the application. */
export function engineValidator(context: Context): AnyFunction {
  return (input) => {
    const { schema, httpPart, method, url } = recordOf(input)
    const part = text(httpPart) ?? 'input'
    const route = { method: text(method), url: text(url) }
    const library = libraryOf(schema)
    if (library !== null) {
      const { ofText, ofJson } = context.app.libraries.validators(library, part, route)
      return part === 'body' || part === 'input' ? ofJson : ofText
    }
    const store = storeOf(context)
    const validate = context.app.engine.compileValidator({ schema, httpPart: part, store, route })
    return withInt64(validate, part, schema, context)
  }
}

/** The settings of a route for its serializers, and the route for errors. */
interface SerializerSettings {
  readonly serialization?: RoutePlan['serialization']
  readonly validateResponses?: ResponseValidation
  readonly ref?: RouteRef
  /** the default is the app of the context */
  readonly app?: SchemaServices
}

/**
 * Returns the engine as a serializer compiler with the interface of those of the application: for JSON Schema, and for
 * schemas of libraries, whose library validates first.
 *
 * @param settings - those that differ from the settings of the context
 */
export function engineSerializer(
  context: Context,
  settings: SerializerSettings = {},
): (input: unknown) => SerializeFunction {
  const services = settings.app ?? context.app
  const { engine, options } = services
  const { serialization = context.setting('serialization'), ref } = settings
  const { validateResponses = options.validateResponses } = settings
  return (input) => {
    const { schema, httpStatus, contentType, method, url } = recordOf(input)
    const route = ref ?? { method: text(method), url: text(url) }
    const status = text(httpStatus)
    const compile = (jsonSchema: unknown): SerializeFunction =>
      engine.compileSerializer({
        schema: jsonSchema,
        store: storeOf(context, engine),
        route,
        ...(status === undefined ? {} : { httpStatus: status }),
        ...(typeof contentType === 'string' ? { contentType } : {}),
        ...(serialization === null ? {} : { serialization }),
      })
    const library = libraryOf(schema)
    if (library === null) return compile(ofPayload(schema))
    const { libraries } = services
    const structure = libraries.outputStructure(library)
    const write = structure === null ? JSON.stringify : compile(structure)
    return libraries.serializer(library, write, validateResponses, (cause) => {
      const details = { route: `${route.method ?? ''} ${route.url ?? ''}`, status: status ?? 'default' }
      return createError('RESPONSE_INVALID', details, { cause })
    })
  }
}

/** A response schema may contain the headers of the response, which are for documents only. */
function ofPayload(schema: unknown): unknown {
  if (!isPlainObject(schema) || !('headers' in schema)) return schema
  const { headers: _, ...payload } = schema
  return payload
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns the store from which the engine reads the shared schemas of a context. */
export function storeOf(context: Context, engine: SchemaEngine = context.app.engine): SchemaStore {
  const isOwn = engine === context.app.engine && context.bucket() === null
  return isOwn ? context.schemas : copyStore(context, engine)
}

/**
 * Returns the store for a header schema. Referenced schemas describe headers too, so the header names in shared schemas
 * are converted to lower case, as in the schema of the route.
 */
export function headerStoreOf(context: Context, schema: unknown, engine: SchemaEngine): SchemaStore {
  return mentionsReference(schema) ? copyStore(context, engine, lowerHeaderNames) : storeOf(context, engine)
}

/** Returns a copy of a context's shared schemas for an engine. */
export function copyStore(
  context: Context,
  engine: SchemaEngine,
  convert: (schema: unknown) => unknown = (schema) => schema,
): SchemaStore {
  const store = engine.createStore(undefined, context.path)
  for (const schema of Object.values(visibleSchemas(context))) store.add(convert(schema))
  return store
}

/** Returns whether a schema may contain a reference. Called at boot, for header schemas only. */
function mentionsReference(schema: unknown, seen: Set<unknown> = new Set()): boolean {
  // Annotations may be circular.
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  return Object.entries(schema).some(([key, value]) => key === '$ref' || mentionsReference(value, seen))
}
