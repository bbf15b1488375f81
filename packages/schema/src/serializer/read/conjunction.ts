/**
 * All schemas that describe one value, side by side: references are followed, `allOf` is flattened. Nothing is merged
 * and nothing is copied; the reader of a keyword decides what it means for the whole.
 */
import { isSchemaObject, listOf } from '../../guards.ts'
import { remember } from '../../remember.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import { hasSiblings, referencesOf } from '../../document/references.ts'
import { SerializerBuildError, type RefScope, type SchemaObject } from './source.ts'

/** A schema object that takes part in a conjunction. */
export interface Member {
  readonly schema: SchemaObject
  readonly location: SchemaLocation
}

/** The branches of an `anyOf` or `oneOf`. */
export type UnionGroup = readonly SchemaLocation[]

/** An `if` with its two outcomes. */
export interface Conditional {
  readonly test: SchemaLocation
  readonly then: SchemaLocation | undefined
  readonly otherwise: SchemaLocation | undefined
}

const UNIONS = ['anyOf', 'oneOf'] as const
/** Keywords with schemas that apply if a property is there. */
const DEPENDENCIES = ['dependencies', 'dependentSchemas'] as const
/** Keywords that say how a value is written. Schemas without any only assert. */
const DECLARING = (
  'properties patternProperties additionalProperties unevaluatedProperties items prefixItems format ' +
  '$ref $dynamicRef allOf anyOf oneOf if'
).split(' ')

/** The schemas that describe one value. */
export interface Conjunction {
  readonly members: readonly Member[]
  readonly unions: readonly UnionGroup[]
  readonly conditionals: readonly Conditional[]
  /** One of the schemas is `false`. */
  readonly isImpossible: boolean
  /** One of the schemas was reached through a `$ref`. */
  readonly isReferenced: boolean
}

/** A conjunction that is being put together. */
interface Draft extends Conjunction {
  readonly members: Member[]
  readonly unions: UnionGroup[]
  readonly conditionals: Conditional[]
  isImpossible: boolean
  isReferenced: boolean
  /** Schemas with a `$ref` that were followed, to end at a cycle. */
  readonly references: SchemaObject[]
}

/**
 * Flattens schemas into conjunctions; keeps groups and identities, so that equal conjunctions have equal keys.
 */
export class Flattener {
  readonly #scope: RefScope
  readonly #unions = new Map<unknown, UnionGroup>()
  readonly #conditionals = new Map<unknown, Conditional>()
  readonly #ids = new Map<unknown, number>()

  constructor(scope: RefScope) {
    this.#scope = scope
  }

  /** Returns the conjunction of all the given schemas, added to `start` when there is one. */
  flatten(schemas: readonly SchemaLocation[], start?: Conjunction): Conjunction {
    const draft: Draft = {
      members: start?.members.slice() ?? [],
      unions: start?.unions.slice() ?? [],
      conditionals: start?.conditionals.slice() ?? [],
      isImpossible: start?.isImpossible ?? false,
      isReferenced: start?.isReferenced ?? false,
      references: [],
    }
    for (const location of schemas) this.#collect(location, draft)
    return draft
  }

  /** How many schemas, unions and conditions are in the conjunctions that have a key. */
  get size(): number {
    return this.#ids.size
  }

  /** Returns a key that two conjunctions share exactly when they consist of the same objects. */
  keyOf(conjunction: Conjunction): string {
    const members = conjunction.members.map((member) => `${this.#id(member.schema)}@${member.location.base}`)
    const groups = [...conjunction.unions, ...conjunction.conditionals].map((group) => this.#id(group))
    return `${conjunction.isImpossible ? '!' : ''}${members.join()}|${groups.join()}`
  }

  #collect(location: SchemaLocation, draft: Draft): void {
    const { schema } = location
    if (schema === true || schema === undefined) return
    if (schema === false) {
      draft.isImpossible = true
      return
    }
    if (!isSchemaObject(schema)) {
      throw new SerializerBuildError('a schema must be an object or a boolean', location.pointer)
    }
    // A loop and no closure: there are many schemas at boot.
    for (const member of draft.members) if (member.schema === schema) return
    if (draft.references.includes(schema)) return
    const references = referencesOf(location)
    if (references.length === 0) return this.#collectMember(schema, location, draft)
    draft.references.push(schema)
    for (const { ref } of references) this.#collectTarget(ref, location, draft)
    // Properties beside a reference are written behind those of its target, as by Fastify 5.x.
    if (hasSiblings(location)) this.#collectMember(schema, location, draft)
  }

  #collectTarget(ref: string, location: SchemaLocation, draft: Draft): void {
    const target = this.#scope.resolve(location, ref)
    if (target === undefined) {
      throw new SerializerBuildError(`cannot find the reference ${JSON.stringify(ref)}`, location.pointer)
    }
    draft.isReferenced = true
    this.#collect(target, draft)
  }

  #collectMember(schema: SchemaObject, location: SchemaLocation, draft: Draft): void {
    draft.members.push({ schema, location })
    if (schema['allOf'] !== undefined) {
      for (const part of placesOf(location, 'allOf')) this.#collect(part, draft)
    }
    for (const keyword of UNIONS) {
      if (schema[keyword] === undefined) continue
      const branches = placesOf(location, keyword)
      if (branches.length === 0) continue
      const group = remember(this.#unions, schema[keyword], () => branches)
      if (!draft.unions.includes(group)) draft.unions.push(group)
    }
    this.#collectConditional(schema, location, draft)
    for (const keyword of DEPENDENCIES) this.#collectDependencies(schema[keyword], keyword, location, draft)
  }

  /** A schema that applies beside a property is a condition on it. */
  #collectDependencies(map: unknown, keyword: string, location: SchemaLocation, draft: Draft): void {
    if (!isSchemaObject(map)) return
    for (const [name, schema] of Object.entries(map)) {
      if (!isSchemaObject(schema) || !DECLARING.some((one) => schema[one] !== undefined)) continue
      const then = childLocation(location, [keyword, name])
      const conditional = remember(this.#conditionals, schema, () => ({
        test: { ...then, schema: { type: 'object', required: [name] } },
        then,
        otherwise: undefined,
      }))
      if (!draft.conditionals.includes(conditional)) draft.conditionals.push(conditional)
    }
  }

  #collectConditional(schema: SchemaObject, location: SchemaLocation, draft: Draft): void {
    const { if: test, then, else: otherwise } = schema
    if (test === undefined || (then === undefined && otherwise === undefined)) return
    const conditional = remember(this.#conditionals, schema, () => ({
      test: childLocation(location, ['if']),
      then: then === undefined ? undefined : childLocation(location, ['then']),
      otherwise: otherwise === undefined ? undefined : childLocation(location, ['else']),
    }))
    if (!draft.conditionals.includes(conditional)) draft.conditionals.push(conditional)
  }

  #id(object: unknown): number {
    return remember(this.#ids, object, () => this.#ids.size)
  }
}

/** The locations in a keyword that holds a list of schemas. */
function placesOf(location: SchemaLocation, keyword: string): readonly SchemaLocation[] {
  const list = isSchemaObject(location.schema) ? listOf(location.schema[keyword]) : []
  return list.map((_, index) => childLocation(location, [keyword, index]))
}
