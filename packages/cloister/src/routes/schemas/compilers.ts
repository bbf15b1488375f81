import {
  isPlainObject,
  lowerHeaderNames,
  type RouteRef,
  type SchemaEngine,
  type SchemaStore,
  type SerializeFunction,
} from '@cloister/schema'

import type { Context } from '../../context/context.ts'
import { visibleSchemas } from '../../context/shared-schemas.ts'
import { createError } from '../../errors.ts'
import { getOrMake, isFunction, isRecord, typeName, type AnyFunction } from '../../guards.ts'
import { libraryOf } from '../../libraries/validate.ts'
import type { ResponseValidation } from '../../libraries/library-schemas.ts'
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

  find(record: Pick<RouteRecord, 'context' | 'options'>): CompilersInCharge {
    const { context, options } = record
    const own = (name: string): AnyFunction | null => (isFunction(options[name]) ? options[name] : null)
    const built = getOrMake(this.#built, context, () => this.#fromController(context))
    return {
      validator: own('validatorCompiler') ?? context.setting('validatorCompiler') ?? built.validator,
      serializer: own('serializerCompiler') ?? context.setting('serializerCompiler') ?? built.serializer,
    }
  }

  /** Returns the compilers of a context for plugins: those of the application, or the engine's. */
  inForce(context: Context): Readonly<Record<keyof CompilersInCharge, AnyFunction>> {
    return getOrMake(this.#inForce, context, () => {
      const { validator, serializer } = this.find({ context, options: {} })
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

/** Returns the engine as a validator compiler with the interface of those of the application. */
export function engineValidator(context: Context): AnyFunction {
  return (input) => {
    const { schema, httpPart, method, url } = isRecord(input) ? input : {}
    const part = text(httpPart) ?? 'input'
    const route = { method: text(method), url: text(url) }
    const library = libraryOf(schema)
    if (library !== null) {
      const { ofText, ofJson } = context.app.libraries.validators(library, { part, route })
      return part === 'body' || part === 'input' ? ofJson : ofText
    }
    return context.app.engine.compileValidator({ schema, httpPart: part, store: storeOf(context), route })
  }
}

/** Returns the engine as a serializer compiler with the interface of those of the application. */
export function engineSerializer(
  context: Context,
  serialization: 'compat' | 'strict' | null = context.setting('serialization'),
): AnyFunction {
  return (input) => {
    const { schema, httpStatus, contentType, method, url } = isRecord(input) ? input : {}
    const { validateResponses } = context.app.options
    const route = { method: text(method), url: text(url) }
    const use = { httpStatus: text(httpStatus), contentType: text(contentType), route }
    return compileResponse(context, schema, { ...use, serialization, validateResponses })
  }
}

export interface ResponseUse {
  readonly httpStatus: string | undefined
  readonly contentType: string | undefined
  readonly route: RouteRef
  readonly serialization: 'compat' | 'strict' | null
  readonly validateResponses: ResponseValidation
}

/**
 * Compiles the serializer of a response: from JSON Schema, or from a library's schema, whose library validates first.
 */
export function compileResponse(context: Context, schema: unknown, use: ResponseUse): SerializeFunction {
  const { engine, libraries } = context.app
  const { httpStatus, contentType, route, serialization, validateResponses } = use
  const compile = (jsonSchema: unknown): SerializeFunction =>
    engine.compileSerializer({
      schema: jsonSchema,
      store: storeOf(context),
      route,
      ...(httpStatus === undefined ? {} : { httpStatus }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(serialization === null ? {} : { serialization }),
    })
  const library = libraryOf(schema)
  if (library === null) return compile(ofPayload(schema))
  const structure = libraries.outputStructure(library)
  return libraries.serializer(library, structure === null ? JSON.stringify : compile(structure), {
    validation: validateResponses,
    refuse: (cause) => {
      const details = { route: `${route.method ?? ''} ${route.url ?? ''}`, status: httpStatus ?? 'default' }
      return createError('RESPONSE_INVALID', details, { cause })
    },
  })
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

/** Returns a copy of a context's shared schemas for the engine without coercion. */
export function uncoercedStoreOf(context: Context): SchemaStore {
  return copyStore(context, (schema) => schema, context.app.uncoercedEngine())
}

/** Returns the store from which the engine reads the shared schemas of a context. */
export function storeOf(context: Context): SchemaStore {
  if (context.bucket() === null) return context.schemas
  return copyStore(context, (schema) => schema)
}

/**
 * Returns the store for a header schema. Referenced schemas describe headers too, so the header names in shared schemas
 * are converted to lower case, as in the schema of the route.
 */
export function headerStoreOf(context: Context, schema: unknown): SchemaStore {
  return mentionsReference(schema)
    ? copyStore(context, (shared) => lowerHeaderNames(shared))
    : storeOf(context)
}

function copyStore(
  context: Context,
  convert: (schema: unknown) => unknown,
  engine: SchemaEngine = context.app.engine,
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
