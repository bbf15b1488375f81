import { childLocation } from '@cloister/schema'
import type { SchemaDocument, SchemaLocation, SchemaScope } from '@cloister/schema'

/**
 * Says which documents mean the same: those with the same content, whose references lead to the same content. Two
 * contexts may have different schemas under one `$id`, and one schema may refer to different ones in two contexts.
 */
export class DocumentIdentity {
  readonly #contents = new Map<string, number>()
  readonly #numbers = new WeakMap<object, number>()
  readonly #identities = new WeakMap<SchemaScope, Map<SchemaDocument, string>>()
  readonly #targets = new WeakMap<SchemaScope, Map<SchemaDocument, readonly SchemaDocument[]>>()

  /** Returns a text that is equal for documents that mean the same. */
  of(document: SchemaDocument, scope: SchemaScope): string {
    const known = this.#identities.get(scope) ?? new Map<SchemaDocument, string>()
    this.#identities.set(scope, known)
    const identity = known.get(document) ?? this.#read(document, scope)
    known.set(document, identity)
    return identity
  }

  #read(document: SchemaDocument, scope: SchemaScope): string {
    const reached = new Set<SchemaDocument>([document])
    for (const one of reached) {
      for (const target of this.#targetsOf(one, scope)) reached.add(target)
    }
    const [own, ...others] = [...reached].map((one) => this.#numberOf(one.root.schema))
    return [own, ...others.toSorted((a, b) => a - b)].join()
  }

  #targetsOf(document: SchemaDocument, scope: SchemaScope): readonly SchemaDocument[] {
    const known = this.#targets.get(scope) ?? new Map<SchemaDocument, readonly SchemaDocument[]>()
    this.#targets.set(scope, known)
    const targets = known.get(document) ?? [...new Set(targetsIn(document.root, scope))]
    known.set(document, targets)
    return targets
  }

  /** The same number for equal content. */
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

/** The documents that references at or below a location lead to. */
function* targetsIn(at: SchemaLocation, scope: SchemaScope): Generator<SchemaDocument, undefined> {
  const { schema } = at
  if (typeof schema !== 'object' || schema === null) return undefined
  const ref: unknown = Reflect.get(schema, '$ref')
  const target = typeof ref === 'string' ? scope.resolve(at, ref) : undefined
  if (target !== undefined) yield target.document
  for (const key of Object.keys(schema)) yield* targetsIn(childLocation(at, [key]), scope)
  return undefined
}
