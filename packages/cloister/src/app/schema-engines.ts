import { createSchemaEngine } from '@cloister/schema'
import type { SchemaEngine } from '@cloister/schema'

import { isRecord } from '../functions.ts'
import type { AppOptions } from '../options/app-options.ts'

/** The engines of an app: one for everything, and one without coercion for JSON bodies where these are not coerced. */
export interface SchemaEngines {
  readonly engine: SchemaEngine
  readonly exactEngine: SchemaEngine | null
}

/** Makes the engines with the options of the app. */
export function createSchemaEngines(options: AppOptions): SchemaEngines {
  const { ajv, coerceJsonBodies } = options
  return {
    engine: createEngine(options, ajv),
    exactEngine: coerceJsonBodies ? null : createEngine(options, withoutCoercion(ajv)),
  }
}

function createEngine(options: AppOptions, ajv: AppOptions['ajv']): SchemaEngine {
  const { serializerOpts, serialization, schemaCompilation, unionErrors } = options
  return createSchemaEngine({
    ...(Object.keys(ajv).length === 0 ? {} : { ajv }),
    serializerOpts,
    serialization,
    schemaCompilation,
    unionErrors,
  })
}

/** The same settings of Ajv, but for coercion. */
function withoutCoercion(ajv: AppOptions['ajv']): AppOptions['ajv'] {
  const { customOptions } = ajv
  // Without coercion a union of types is no ambiguity, of which Ajv would otherwise warn.
  const own = isRecord(customOptions) ? customOptions : {}
  return { ...ajv, customOptions: { strictTypes: false, ...own, coerceTypes: false } }
}
