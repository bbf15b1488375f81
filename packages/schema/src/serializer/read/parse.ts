/**
 * Reads schemas into nodes: scalars here, objects, arrays, conditions and unions by the files of their names.
 */
import { isSchemaObject } from '../../guards.ts'
import type { SchemaLocation } from '../../document/location.ts'
import { MAX_REFERENCE_DEPTH } from '../../document/depth.ts'
import { hasReference, hasSiblings } from '../../document/references.ts'
import { Flattener, type Conjunction } from './conjunction.ts'
import { ANY, NeverNode } from '../nodes/any.ts'
import { ChooseNode, type ChooseCase, type ValueKind } from '../nodes/choose.ts'
import { ConstNode, EnumNode, NullableNode } from '../nodes/literals.ts'
import type { Node } from '../nodes/node.ts'
import { RefNode, SharedNode, type Definition, type SharedDefinitions } from '../nodes/reference.ts'
import { BooleanNode, IntegerNode, NullNode, NumberNode, ROUNDINGS, type Rounding } from '../nodes/scalars.ts'
import { StringNode, stringFormat, type StringFormat } from '../nodes/string.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { SerializationMode } from '../../options.ts'
import { isJsonType, type JsonType } from '../../document/json-types.ts'
import { remember } from '../../remember.ts'
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
import { SerializerBuildError, type ReadOptions, type RefScope, type SchemaObject } from './source.ts'
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

/** Keywords beside a scalar type with which a schema is no plain scalar, as most properties are. */
const BESIDE_SCALAR = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'const', 'nullable', 'default']

/** The forms that a serializer may read of a small schema. */
const FEW_FORMS = 1000
/** The further forms for each schema inside. Large schemas of libraries have up to two. */
export const FORMS_PER_SCHEMA = 8

/** Reads one schema; caches nodes, so that recursion ends. */
export class Parser {
  readonly options: ReadOptions
  readonly flattener: Flattener
  readonly #scope: RefScope
  #predicates: PredicateReader | undefined = undefined
  /** The nodes of plain scalars, each kind once. */
  readonly #scalars = new Map<string, Node>()
  readonly #known = new Map<string, Definition>()
  readonly #open = new Set<Definition>()

  constructor(scope: RefScope, options: ReadOptions) {
    this.options = options
    this.#scope = scope
    this.flattener = new Flattener(scope)
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
    if (!isSchemaObject(schema)) return undefined
    const { type } = schema
    if (!isJsonType(type) || type === 'object' || type === 'array') return undefined
    for (const keyword of BESIDE_SCALAR) if (schema[keyword] !== undefined) return undefined
    if (this.isStrict && schema['enum'] !== undefined) return undefined
    const format = stringFormat(schema['format'])
    return remember(this.#scalars, type === 'string' ? format : type, () => this.#scalar(type, format))
  }

  /**
   * Returns the node of a single reference to a shared object schema, which is compiled separately; else undefined.
   */
  readShared(locations: readonly SchemaLocation[]): Node | undefined {
    const { shared } = this.options
    const only = locations.length === 1 ? locations[0] : undefined
    if (shared === undefined || only === undefined) return undefined
    const target = sharedTarget(only, this.#scope)
    if (target === undefined || !isSchemaObject(target.schema)) return undefined
    const { schema } = target
    const known = shared.get(schema)
    if (known !== undefined) return new SharedNode(known)
    if (!isShareable(schema)) return undefined
    const definition = { node: this.read([target]), isRecursive: false }
    shared.set(schema, definition)
    return new SharedNode(definition)
  }

  /** Returns the node of a conjunction; an equal conjunction is read once. */
  readConjunction(conjunction: Conjunction): Node {
    const key = this.flattener.keyOf(conjunction)
    const known = this.#known.get(key)
    if (known !== undefined) {
      if (this.#open.has(known)) known.isRecursive = true
      else if (known.node.isLeaf) return known.node
      return new RefNode(known)
    }
    const definition: Definition = { node: ANY, isRecursive: false }
    this.#known.set(key, definition)
    this.#limit(conjunction)
    this.#open.add(definition)
    definition.node = this.#read(conjunction)
    this.#open.delete(definition)
    const isShared = definition.isRecursive || conjunction.isReferenced
    return isShared && !definition.node.isLeaf ? new RefNode(definition) : definition.node
  }

  /** Unions, conditions and references can combine a few schemas to more forms than can be read. */
  #limit({ members }: Conjunction): void {
    const isMany = this.#known.size > FEW_FORMS + FORMS_PER_SCHEMA * this.flattener.size
    // The schema itself is no reference.
    const isDeep = this.#open.size > MAX_REFERENCE_DEPTH + 1
    if (!isMany && !isDeep) return
    const what = isMany
      ? 'too many forms of a value'
      : `a form inside more than ${MAX_REFERENCE_DEPTH} others`
    throw new SerializerBuildError(
      `its unions, conditions and references combine to ${what}; use oneOf with a discriminator, or fewer of them side by side`,
      members[0]?.location.pointer ?? '',
    )
  }

  /** Returns the predicate of a schema. */
  readPredicate(location: SchemaLocation): SchemaNode {
    this.#predicates ??= new PredicateReader(this.#scope)
    return this.#predicates.predicate(location)
  }

  #read(conjunction: Conjunction): Node {
    if (conjunction.isImpossible) return new NeverNode('the schema allows no value here')
    const node = this.#readAlternatives(conjunction)
    return isNullable(conjunction) && node !== ANY ? new NullableNode(node) : node
  }

  #readAlternatives(conjunction: Conjunction): Node {
    if (conjunction.conditionals.length > 0) return parseCondition(this, conjunction)
    if (conjunction.unions.length > 0) return lowerUnion(this, conjunction)
    return this.#readLiterals(conjunction)
  }

  #readLiterals(conjunction: Conjunction): Node {
    const value = firstOf(conjunction, 'const')
    if (value !== undefined && JSON.stringify(value) !== undefined) {
      const node = new ConstNode(this.isStrict, value)
      const allowsNull = declaredTypes(conjunction)?.includes('null') === true
      return allowsNull && value !== null ? new NullableNode(node) : node
    }
    const inner = this.#readTypes(conjunction)
    const values = this.isStrict ? literalValues(conjunction) : undefined
    return values === undefined ? inner : new EnumNode(values, inner)
  }

  #readTypes(conjunction: Conjunction): Node {
    const declared = declaredTypes(conjunction)
    if (declared === undefined) return this.#readUntyped(conjunction)
    const first = declared[0]
    if (first === undefined) return new NeverNode('the schema names no type that all its parts allow')
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
    return cases.length === 0 ? ANY : new ChooseNode(cases, '', ANY)
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
    return new ChooseNode(cases, types.join(' or '))
  }

  /** Fastify 4.x writes `{}` for `null`, without a test of required properties and without defaults. */
  #readObject(conjunction: Conjunction): Node {
    const node = parseObject(this, conjunction)
    const demands =
      node.parts.requiredOnly.length > 0 ||
      node.parts.properties.some((property) => property.isRequired || property.defaultText !== undefined)
    return demands && !this.isStrict ? new NullableNode(node, '{}') : node
  }

  #readType(type: JsonType, conjunction: Conjunction): Node {
    if (type === 'object') return this.#readObject(conjunction)
    if (type === 'array') return parseArray(this, conjunction)
    return this.#scalar(type, stringFormat(firstOf(conjunction, 'format')))
  }

  #scalar(type: Exclude<JsonType, 'object' | 'array'>, format: StringFormat): Node {
    switch (type) {
      case 'string':
        return new StringNode(this.isStrict, format)
      case 'integer':
        return new IntegerNode(this.isStrict, this.options.rounding)
      case 'number':
        return new NumberNode(this.isStrict)
      case 'boolean':
        return new BooleanNode(this.isStrict)
      case 'null':
        return new NullNode(this.isStrict)
    }
  }
}

/** Returns the target of a `$ref` to a whole shared schema; undefined for any other schema. */
function sharedTarget(location: SchemaLocation, scope: RefScope): SchemaLocation | undefined {
  const { schema } = location
  if (!isSchemaObject(schema) || typeof schema['$ref'] !== 'string' || schema['nullable'] === true)
    return undefined
  if (schema['$dynamicRef'] !== undefined || hasSiblings(location)) return undefined
  const target = scope.resolve(location, schema['$ref'])
  return target?.document.sharedId === undefined || target.pointer !== '' ? undefined : target
}

/**
 * Whether a shared schema is compiled separately: an object schema without references. A default belongs to the
 * property that refers to the schema, so schemas with a default are not shared.
 */
function isShareable(schema: SchemaObject): boolean {
  return schema['type'] === 'object' && schema['default'] === undefined && !hasReference(schema)
}

/** Options of Fastify 4.x that change the output. */
export interface SerializerOptions {
  /**
   * How fractions become integers in compat mode.
   * @default 'trunc'
   */
  readonly rounding?: Rounding
  /**
   * From this length on, {@link SerializerOptions.largeArrayMechanism} applies.
   * @default 20_000
   */
  readonly largeArraySize?: number | string | bigint
  /**
   * `'json-stringify'` writes large arrays natively, without their schema.
   * @default 'default'
   */
  readonly largeArrayMechanism?: 'default' | 'json-stringify'
}

/** The input of {@link readSerializer}. */
export interface SerializerInput {
  /** The location of the schema, from which its references are resolved. */
  readonly location: SchemaLocation
  /** Resolves references. */
  readonly scope: RefScope
  /** `compat` converts as Fastify 4.x does, `strict` throws on each lossy conversion. */
  readonly mode: SerializationMode
  readonly options?: SerializerOptions
  /** The parts that serializers with the same mode and options share; by default none. */
  readonly definitions?: SharedDefinitions
}

const DEFAULT_LARGE_ARRAY_SIZE = 20_000

/**
 * Reads a schema.
 * @throws {@link SerializerBuildError} if no serializer can be made
 */
export function readSerializer({ location, scope, mode, definitions, options = {} }: SerializerInput): Node {
  const parser = new Parser(scope, {
    mode,
    rounding: roundingOf(options),
    nativeArrayFrom: nativeArrayFrom(options),
    shared: definitions,
  })
  return parser.read([location])
}

function roundingOf({ rounding = 'trunc' }: SerializerOptions): Rounding {
  if (ROUNDINGS.includes(rounding)) return rounding
  throw new SerializerBuildError(`unsupported integer rounding method ${String(rounding)}`, '')
}

function nativeArrayFrom(options: SerializerOptions): number | undefined {
  const { largeArraySize = DEFAULT_LARGE_ARRAY_SIZE, largeArrayMechanism = 'default' } = options
  if (largeArrayMechanism !== 'default' && largeArrayMechanism !== 'json-stringify') {
    throw new SerializerBuildError(`unsupported large array mechanism ${String(largeArrayMechanism)}`, '')
  }
  const size =
    typeof largeArraySize === 'string' ? Number.parseInt(largeArraySize, 10) : Number(largeArraySize)
  if (!Number.isInteger(size)) {
    throw new SerializerBuildError(
      `unsupported large array size: an integer is expected, not ${String(largeArraySize)}`,
      '',
    )
  }
  return largeArrayMechanism === 'json-stringify' ? size : undefined
}
