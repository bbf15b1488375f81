import { pointerOf, shortPointer } from './pointer.ts'
import { SchemaError } from '../errors.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import type { SchemaLocation } from './location.ts'
import { eachSubschema, type Path } from './subschemas.ts'

/**
 * The maximum nesting of schemas. Schemas are read by recursion, and their code is generated, compiled and run by
 * recursion; with the default stack (984 KB) that fails between 400 and 500 levels. The limit leaves room for the
 * stack of the caller.
 */
export const MAX_SCHEMA_DEPTH = 200

/** Creates the error about a schema that is nested too deeply. */
export function tooDeep(path: Path, schemaId: string | undefined): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `the schema is nested more than ${MAX_SCHEMA_DEPTH} levels deep, which no validator or serializer can follow; if it repeats itself, give it an "$id" and refer to it with "$ref"`,
    pointer: shortPointer(pointerOf(path)),
    schemaId,
  })
}

/**
 * The maximum nesting of schemas when references lead from one into the next. The first overflow was measured
 * between 500 and 550.
 */
export const MAX_REFERENCE_DEPTH = 400
/** The maximum number of references in a chain. They need less of the stack than the schemas around them. */
export const MAX_REFERENCES = 1000

/** Creates the error about a reference at the end of a chain that is too long. */
export function referencesTooDeep({ pointer, document }: SchemaLocation): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `a chain of "$ref" is longer than a validator or serializer can follow: at most ${MAX_REFERENCES} references with ${MAX_REFERENCE_DEPTH} schemas around them; make it shorter, for example with one schema that refers to itself`,
    pointer: shortPointer(pointer),
    schemaId: document.sharedId,
  })
}

interface Entry {
  readonly schema: unknown
  readonly path: Path
}

/**
 * Finds a schema that is nested too deeply, after recursion has overflowed the stack; returns undefined if there is
 * none. It does not recurse itself.
 */
export function findTooDeep(root: unknown): SchemaError | undefined {
  let level: Entry[] = [{ schema: root, path: [] }]
  for (let depth = 0; depth <= MAX_SCHEMA_DEPTH && level.length > 0; depth++) {
    const next: Entry[] = []
    for (const { schema, path } of level) {
      eachSubschema(schema, path, (child) => {
        if (isObject(child)) next.push({ schema: child, path: [...path] })
      })
    }
    // A schema that contains itself never ends; one path into it is enough.
    level = distinct(next)
  }
  const [deepest] = level
  if (deepest === undefined) return undefined
  const id = isSchemaObject(root) ? root['$id'] : undefined
  return tooDeep(deepest.path, typeof id === 'string' ? id : undefined)
}

function distinct(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.schema, entry])).values()]
}
