import {
  createSchemaEngine,
  type SchemaEngine,
  type SchemaEngineOptions,
} from '../../../packages/schema/src/index.ts'
import type { Named } from './shapes.ts'

/** What is done with a value; it may throw. */
export type Actor = (value: unknown) => unknown

/** The options under which everything is measured. */
const SETTINGS: Readonly<Record<string, SchemaEngineOptions>> = {
  closures: { codeGeneration: 'never' },
  code: { codeGeneration: 'always' },
  // What `strict: true` sets.
  strict: {
    codeGeneration: 'never',
    ajv: { customOptions: { coerceTypes: false } },
    unionErrors: 'branch',
    unionRemoval: 'branch',
    errorLimit: 20,
  },
}

const KINDS: Readonly<Record<string, (engine: SchemaEngine, named: Named) => Actor>> = {
  validate(engine, named) {
    return engine.compileValidator({ schema: named.schema, httpPart: 'body', store: storeOf(engine, named) })
  },
  serialize(engine, named) {
    return engine.compileSerializer({ schema: named.schema, store: storeOf(engine, named) })
  },
}

function storeOf(engine: SchemaEngine, { shared = [] }: Named): ReturnType<SchemaEngine['createStore']> {
  const store = engine.createStore()
  for (const schema of shared) store.add(schema)
  return store
}

/** The validators and serializers of a schema, by how they are made. */
export function actorsOf(named: Named): Map<string, Actor> {
  const actors = new Map<string, Actor>()
  for (const [setting, options] of Object.entries(SETTINGS)) {
    for (const [kind, make] of Object.entries(KINDS)) {
      if (kind === 'serialize' && setting === 'strict') continue
      try {
        const engine = createSchemaEngine({ ...options, jsonSchemaDialect: named.dialect ?? 'draft-07' })
        const act = make(engine, named)
        actors.set(`${kind}, ${setting}`, act)
      } catch {
        // The engine refuses schemas of the suite that need a meta-schema of their own.
      }
    }
  }
  return actors
}
