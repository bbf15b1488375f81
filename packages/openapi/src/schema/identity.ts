import { childLocation } from '@cloister/schema'
import type { SchemaDocument, SchemaLocation, SchemaScope } from '@cloister/schema'

/**
 * Decides which schemas mean the same: those with the same content, whose references lead to the same content. Two
 * contexts may have different schemas with the same `$id`, and one schema may refer to different schemas in two
 * contexts.
 */
export class SchemaIdentity {
  readonly #contents = new Map<string, number>()
  readonly #numbers = new WeakMap<object, number>()
  readonly #identities = new WeakMap<SchemaScope, Map<SchemaDocument, Map<string, string>>>()
  readonly #targets = new WeakMap<SchemaScope, Map<SchemaDocument, Map<string, readonly SchemaLocation[]>>>()

  /** Returns a text that is equal for schemas that mean the same. */
  of(location: SchemaLocation, scope: SchemaScope): string {
    return remember(this.#identities, scope, location, () => this.#read(location, scope))
  }

  /** Returns the targets of the references at or below a location. */
  targetsOf(location: SchemaLocation, scope: SchemaScope): readonly SchemaLocation[] {
    return remember(this.#targets, scope, location, () => [...targetsIn(location, scope)])
  }

  #read(location: SchemaLocation, scope: SchemaScope): string {
    const reached = [location]
    const seen = new Map<SchemaDocument, Set<string>>()
    isNew(seen, location)
    for (const one of reached) {
      for (const target of this.targetsOf(one, scope)) if (isNew(seen, target)) reached.push(target)
    }
    const [own, ...others] = reached.map(({ schema }) => this.#numberOf(schema))
    return [own, ...new Set(others.toSorted((a, b) => a - b))].join()
  }

  #numberOf(schema: unknown): number {
    const isKeyed = typeof schema === 'object' && schema !== null
    const known = isKeyed ? this.#numbers.get(schema) : undefined
    if (known !== undefined) return known
    const text = JSON.stringify(schema)
    const number = this.#contents.get(text) ?? this.#contents.size
    this.#contents.set(text, number)
    if (isKeyed) this.#numbers.set(schema, number)
    return number
  }
}

/** Computes a value once for each location in a scope. */
function remember<Value>(
  table: WeakMap<SchemaScope, Map<SchemaDocument, Map<string, Value>>>,
  scope: SchemaScope,
  { document, pointer }: SchemaLocation,
  make: () => Value,
): Value {
  const byDocument = table.get(scope) ?? new Map<SchemaDocument, Map<string, Value>>()
  table.set(scope, byDocument)
  const byPointer = byDocument.get(document) ?? new Map<string, Value>()
  byDocument.set(document, byPointer)
  const value = byPointer.get(pointer) ?? make()
  byPointer.set(pointer, value)
  return value
}

/** Adds a location to the set; returns false if the set already has it. */
function isNew(seen: Map<SchemaDocument, Set<string>>, { document, pointer }: SchemaLocation): boolean {
  const pointers = seen.get(document) ?? new Set<string>()
  seen.set(document, pointers)
  const size = pointers.size
  return pointers.add(pointer).size > size
}

function* targetsIn(at: SchemaLocation, scope: SchemaScope): Generator<SchemaLocation, undefined> {
  const { schema } = at
  if (typeof schema !== 'object' || schema === null) return undefined
  const ref: unknown = Reflect.get(schema, '$ref')
  const target = typeof ref === 'string' ? scope.resolve(at, ref) : undefined
  if (target !== undefined) yield target
  for (const key of Object.keys(schema)) yield* targetsIn(childLocation(at, [key]), scope)
  return undefined
}
