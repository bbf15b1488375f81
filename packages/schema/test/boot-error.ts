import { createSchemaEngine, SchemaError, type SchemaEngineOptions } from '../src/index.ts'

/** What stops the start of an application with this body schema; nothing when it is taken. */
export function bootError(schema: unknown, options: SchemaEngineOptions = {}): SchemaError | undefined {
  const engine = createSchemaEngine(options)
  try {
    engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
    return undefined
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
}
