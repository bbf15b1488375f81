import { createSchemaEngine, type SchemaEngine, type SchemaWarning } from '@cloister/schema'

import type { ContextServices } from '../context/services.ts'
import { isRecord } from '../guards.ts'
import { warn } from '../logging/warnings.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'

/** Creates the engines from the options of the app. The one without coercion is created on first use. */
export function createSchemaEngines(
  options: AppOptions,
): Pick<ContextServices, 'engine' | 'uncoercedEngine'> {
  const { ajv } = options
  const warned = new Set<string>()
  const onWarning = ({ code, message, pattern }: SchemaWarning): void => {
    if (warned.has(pattern)) return
    warned.add(pattern)
    warn(code, { message })
  }
  let uncoerced: SchemaEngine | null = null
  return {
    engine: createEngine(options, ajv, onWarning),
    uncoercedEngine: () => (uncoerced ??= createEngine(options, withoutCoercion(ajv), onWarning)),
  }
}

function createEngine(
  options: AppOptions,
  ajv: AppOptions['ajv'],
  onWarning: (warning: SchemaWarning) => void,
): SchemaEngine {
  return createSchemaEngine({
    ...(Object.keys(ajv).length === 0 ? {} : { ajv }),
    serializerOpts: options.serializerOpts,
    jsonSchemaDialect: options.jsonSchemaDialect,
    serialization: options.serialization,
    schemaCompilation: options.schemaCompilation,
    codeGeneration: options.codeGeneration,
    unionErrors: options.unionErrors,
    unionRemoval: options.unionRemoval,
    errorLimit: options.validationErrorLimit,
    longestText: { params: options.maxParamLength },
    onWarning,
  })
}

/** After this many values that can't be coerced, the remaining ones stay text. */
const COERCION_ERRORS = 100

/**
 * Creates the engine that coerces text for the schemas of other libraries, with the coercion settings of the app. It
 * continues after a value that it can't coerce; the library reports that value. Returns `null` if the app coerces
 * nothing.
 */
export function createCoercer(options: AppOptions): SchemaEngine | null {
  const { customOptions } = options.ajv
  const { coerceTypes = 'array' } = isRecord(customOptions) ? customOptions : {}
  if (coerceTypes !== 'array' && coerceTypes !== true) return null
  return createSchemaEngine({
    ajv: { customOptions: { coerceTypes, useDefaults: false, removeAdditional: false, messages: false } },
    jsonSchemaDialect: options.jsonSchemaDialect,
    schemaCompilation: options.schemaCompilation,
    codeGeneration: options.codeGeneration,
    errorLimit: COERCION_ERRORS,
    // The library matches its patterns itself.
    onWarning: () => {},
  })
}

function withoutCoercion(ajv: AppOptions['ajv']): AppOptions['ajv'] {
  const own = isRecord(ajv['customOptions']) ? ajv['customOptions'] : {}
  return { ...ajv, customOptions: { ...own, coerceTypes: false } }
}
