import { createSchemaEngine } from '../../src/index.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Both modes, and both back ends. */
export const WAYS = (['compat', 'strict'] as const).flatMap((serialization) =>
  (['never', 'always'] as const).map((codeGeneration) => ({ serialization, codeGeneration })),
)

/** The texts of a value, in both modes and by both back ends. */
export function textsOf(schema: Schema, value: unknown): string[] {
  return WAYS.map((options) => {
    const engine = createSchemaEngine(options)
    return engine.compileSerializer({ schema: structuredClone(schema), store: engine.createStore() })(value)
  })
}
