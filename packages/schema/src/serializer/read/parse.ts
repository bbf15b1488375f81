/**
 * Reads schemas into intermediate representation: scalars, objects, arrays, conditions; `union.ts` reads unions.
 */
import { isSchemaObject } from '../../guards.ts'
import type { SchemaLocation } from '../../document/location.ts'
import { hasReference, hasSiblings } from '../../document/references.ts'
import { Flattener, type Conjunction } from './conjunction.ts'
import { ANY, type ChooseCase, type Definition, type Node, type ValueKind } from '../ir.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { JsonType } from '../../document/json-types.ts'
import {
  declaredTypes,
  firstOf,
  hasKeyword,
  inferredType,
  isNullable,
  kindsOfType,
  literalValues,
} from './keywords.ts'
import { parseArray } from './array.ts'
import { parseCondition } from './condition.ts'
import { parseObject } from './object.ts'
import { PredicateReader } from './predicate.ts'
import type { ReadOptions, RefScope, SchemaObject, SchemaReader } from './source.ts'
import { ScalarReader, stringFormat } from './scalar.ts'
import { lowerUnion } from './union.ts'

/** Keywords that show how the objects and the arrays of an untyped schema are written. */
const OBJECT_KEYWORDS = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'required',
]
const ARRAY_KEYWORDS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems']

/** Reads one schema; keeps what it has read, so that recursion ends. */
export class Parser implements SchemaReader {
  readonly options: ReadOptions
  readonly flattener: Flattener
  readonly #scope: RefScope
  readonly #scalars: ScalarReader
  readonly #predicates: PredicateReader
  readonly #known = new Map<string, Definition>()
  readonly #open = new Set<Definition>()

  constructor(scope: RefScope, options: ReadOptions) {
    this.options = options
    this.#scope = scope
    this.flattener = new Flattener(scope)
    this.#scalars = new ScalarReader(options)
    this.#predicates = new PredicateReader(scope)
  }

  /** Whether lossy conversions are errors. */
  get isStrict(): boolean {
    return this.options.mode === 'strict'
  }

  /** Returns the node of a value that all the given schemas describe. */
  read(schemas: readonly SchemaLocation[]): Node {
    return this.readConjunction(this.flattener.flatten(schemas))
  }

  /** Returns the node of a schema that is a plain scalar; undefined for any other. */
  readScalar(schema: unknown): Node | undefined {
    return this.#scalars.read(schema)
  }

  /**
   * Returns the node of a single reference to a shared object schema, which is compiled separately; else undefined.
   */
  readShared(locations: readonly SchemaLocation[]): Node | undefined {
    const { shared } = this.options
    const only = locations.length === 1 ? locations[0] : undefined
    const target = shared === undefined || only === undefined ? undefined : sharedTarget(only, this.#scope)
    if (shared === undefined || target === undefined) return undefined
    const { schema } = target
    const known = shared.get(schema)
    if (known !== undefined) return { kind: 'shared', definition: known }
    if (!isShareable(schema)) return undefined
    const node = this.read([target.location])
    const definition = { node }
    shared.set(schema, definition)
    return { kind: 'shared', definition }
  }

  /** Returns the node of a conjunction; an equal conjunction is read once. */
  readConjunction(conjunction: Conjunction): Node {
    const key = this.flattener.keyOf(conjunction)
    const known = this.#known.get(key)
    if (known !== undefined) {
      if (this.#open.has(known)) known.isRecursive = true
      else if (isLeaf(known.node)) return known.node
      return { kind: 'ref', target: known }
    }
    const definition: Definition = { node: ANY, isRecursive: false }
    this.#known.set(key, definition)
    this.#open.add(definition)
    definition.node = this.#read(conjunction)
    this.#open.delete(definition)
    const isShared = definition.isRecursive || conjunction.isReferenced
    return isShared && !isLeaf(definition.node) ? { kind: 'ref', target: definition } : definition.node
  }

  /** Returns the predicate of a schema. */
  readPredicate(location: SchemaLocation): SchemaNode {
    return this.#predicates.predicate(location)
  }

  #read(conjunction: Conjunction): Node {
    if (conjunction.isImpossible) return { kind: 'never', reason: 'the schema allows no value here' }
    const node = this.#readAlternatives(conjunction)
    return isNullable(conjunction) && node.kind !== 'any'
      ? { kind: 'nullable', inner: node, text: 'null' }
      : node
  }

  #readAlternatives(conjunction: Conjunction): Node {
    if (conjunction.conditionals.length > 0) return parseCondition(this, conjunction)
    if (conjunction.unions.length > 0) return lowerUnion(this, conjunction)
    return this.#readLiterals(conjunction)
  }

  #readLiterals(conjunction: Conjunction): Node {
    const value = firstOf(conjunction, 'const')
    if (value !== undefined && JSON.stringify(value) !== undefined) {
      const node: Node = { kind: 'const', strict: this.isStrict, value }
      const allowsNull = declaredTypes(conjunction)?.includes('null') === true
      return allowsNull && value !== null ? { kind: 'nullable', inner: node, text: 'null' } : node
    }
    const inner = this.#readTypes(conjunction)
    const values = this.isStrict ? literalValues(conjunction) : undefined
    return values === undefined ? inner : { kind: 'enum', values, inner }
  }

  #readTypes(conjunction: Conjunction): Node {
    const declared = declaredTypes(conjunction)
    if (declared === undefined) return this.#readUntyped(conjunction)
    const first = declared[0]
    if (first === undefined)
      return { kind: 'never', reason: 'the schema names no type that all its parts allow' }
    return declared.length === 1
      ? this.#readType(first, conjunction)
      : this.#readChoice(declared, conjunction)
  }

  /**
   * Without a type, compat mode infers one from the other keywords; strict mode applies each keyword to its own kind.
   */
  #readUntyped(conjunction: Conjunction): Node {
    if (!this.isStrict) {
      const type = inferredType(conjunction)
      return type === undefined ? ANY : this.#readType(type, conjunction)
    }
    const cases: ChooseCase[] = []
    if (OBJECT_KEYWORDS.some((k) => hasKeyword(conjunction, k))) {
      cases.push({ kinds: ['object', 'text-object'], node: this.#readType('object', conjunction) })
    }
    if (ARRAY_KEYWORDS.some((k) => hasKeyword(conjunction, k))) {
      cases.push({ kinds: ['array'], node: this.#readType('array', conjunction) })
    }
    if (stringFormat(firstOf(conjunction, 'format')) !== 'plain') {
      cases.push({ kinds: ['string'], node: this.#readType('string', conjunction) })
    }
    return cases.length === 0 ? ANY : { kind: 'choose', cases, otherwise: ANY, expected: '' }
  }

  /**
   * `null` is tested first; otherwise the order of the types decides between overlapping ones. In compat mode, the
   * first type converts `null` when no type names it.
   */
  #readChoice(types: readonly JsonType[], conjunction: Conjunction): Node {
    const ordered = [...types].toSorted((a, b) => Number(b === 'null') - Number(a === 'null'))
    let isTextTaken = this.isStrict
    let isNullTaken = this.isStrict || types.includes('null')
    const cases = ordered.map((type): ChooseCase => {
      const kinds: ValueKind[] = [...kindsOfType(type)]
      if (!isTextTaken && (type === 'string' || type === 'object')) {
        kinds.push('text-object')
        isTextTaken = true
      } else if (this.isStrict && type === 'object') kinds.push('text-object')
      if (!isNullTaken && type !== 'array') {
        kinds.push('null')
        isNullTaken = true
      }
      return { kinds, node: this.#readType(type, conjunction) }
    })
    return { kind: 'choose', cases, otherwise: undefined, expected: types.join(' or ') }
  }

  /** Fastify 4.x writes `{}` for `null`, without a test of required properties and without defaults. */
  #readObject(conjunction: Conjunction): Node {
    const node = parseObject(this, conjunction)
    const demands =
      node.requiredOnly.length > 0 ||
      node.properties.some((property) => property.isRequired || property.defaultText !== undefined)
    return demands && !this.isStrict ? { kind: 'nullable', inner: node, text: '{}' } : node
  }

  #readType(type: JsonType, conjunction: Conjunction): Node {
    const strict = this.isStrict
    switch (type) {
      case 'object':
        return this.#readObject(conjunction)
      case 'array':
        return parseArray(this, conjunction)
      case 'string':
        return { kind: 'string', strict, format: stringFormat(firstOf(conjunction, 'format')) }
      case 'integer':
        return { kind: 'integer', strict, rounding: this.options.rounding }
      default:
        return { kind: type, strict }
    }
  }
}

function isLeaf(node: Node): boolean {
  switch (node.kind) {
    case 'object':
    case 'array':
    case 'choose':
    case 'switch':
    case 'match':
    case 'condition':
    case 'nullable':
      return false
    default:
      return true
  }
}

/** The whole of a shared schema. */
interface SharedTarget {
  readonly location: SchemaLocation
  readonly schema: SchemaObject
}

/** Returns the target of a `$ref` to a whole shared schema; undefined for any other schema. */
function sharedTarget(location: SchemaLocation, scope: RefScope): SharedTarget | undefined {
  const { schema } = location
  if (!isSchemaObject(schema) || typeof schema['$ref'] !== 'string' || schema['nullable'] === true)
    return undefined
  if (schema['$dynamicRef'] !== undefined || hasSiblings(location)) return undefined
  const target = scope.resolve(location, schema['$ref'])
  if (target === undefined || target.document.sharedId === undefined || target.pointer !== '')
    return undefined
  return isSchemaObject(target.schema) ? { location: target, schema: target.schema } : undefined
}

/**
 * Whether a shared schema is compiled separately: an object schema without references. A default belongs to the
 * property that refers to the schema, so schemas with a default are not shared.
 */
function isShareable(schema: SchemaObject): boolean {
  return schema['type'] === 'object' && schema['default'] === undefined && !hasReference(schema)
}
