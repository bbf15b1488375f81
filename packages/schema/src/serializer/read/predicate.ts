/** Predicates: whether a value matches a schema, for unions and conditions. They are read as validators are. */
import type { SchemaLocation } from '../../document/location.ts'
import { hasSiblings, referencesOf } from '../../document/references.ts'
import { namedPart } from '../../keywords/additional-properties.ts'
import { ItemsPart } from '../../keywords/items.ts'
import { leafOf, readPlan } from '../../keywords/reading.ts'
import type { Expression } from '../../regexp/compile.ts'
import { isSchemaObject, listOf } from '../../guards.ts'
import { remember } from '../../remember.ts'
import { Coercers } from '../../runtime/coerce.ts'
import { Child } from '../../walk/child.ts'
import { matching, Undeclared } from '../../walk/declared.ts'
import { CALL, type Leaf } from '../../walk/leaf.ts'
import { SchemaNode, type JsonReading, type NodeContext } from '../../walk/node.ts'
import type { ListData, ObjectData, Part } from '../../walk/part.ts'
import type { Plan } from '../../walk/plan.ts'
import { Seen } from '../../walk/seen.ts'
import type { WalkSettings } from '../../walk/settings.ts'
import { SerializerBuildError, compilePattern, type RefScope } from './source.ts'
import { Flattener, type Conjunction } from './conjunction.ts'
import { declaredProperties, entriesOf, hasKeyword } from './keywords.ts'

const SETTINGS: WalkSettings = {
  coercion: false,
  defaults: false,
  remove: false,
  allErrors: false,
  errorLimit: undefined,
  removesByBranch: false,
  narrowsUnions: false,
  verbose: false,
  messages: false,
  finiteNumbers: true,
  exactIntegers: false,
  inlineRefs: false,
  loopRequired: 0,
}

/** Reads predicates; each schema once. They see values as JSON shows them, and change nothing. */
export class PredicateReader implements NodeContext {
  readonly settings: WalkSettings = SETTINGS
  readonly coercers: Coercers = new Coercers(false)
  readonly isCollecting: boolean = false
  readonly isDynamic: boolean = false
  readonly isForAjv: boolean = false
  readonly mayEdit: boolean = false
  readonly editsOnFailure: boolean = false
  readonly scope: RefScope
  readonly json: JsonReading
  readonly #functions: Map<unknown, SchemaNode> = new Map()

  constructor(scope: RefScope) {
    const flattener = new Flattener(scope)
    this.scope = {
      resolve(site, ref) {
        const target = scope.resolve(site, ref)
        if (target !== undefined) return target
        throw new SerializerBuildError(`cannot find the reference ${JSON.stringify(ref)}`, site.pointer)
      },
    }
    this.json = {
      describing,
      seenBy,
      unevaluatedProperties: (node) => unevaluatedProperties(flattener, node),
      unevaluatedItems: (node) => unevaluatedItems(flattener, node),
    }
  }

  /** Returns the predicate of a schema; reads all of it. */
  predicate(location: SchemaLocation): SchemaNode {
    const root = this.functionAt(location)
    const all = new Set([root])
    for (const node of all) node.plan.eachBelow((below) => all.add(below))
    return root
  }

  read(node: SchemaNode): Plan {
    return readPlan(node)
  }

  expression(source: string): Expression {
    return compilePattern(source, '')
  }

  leafOf(schema: unknown): Leaf {
    try {
      const leaf = leafOf(schema)
      // A list may have a `toJSON`.
      return leaf.isOfList ? CALL : leaf
    } catch {
      // A pattern that is valid without the `u` flag only.
      return CALL
    }
  }

  reopen(): never {
    throw new Error('a predicate keeps its schema')
  }

  inPlaceOf(): undefined {}

  inlinedAt(): undefined {}

  functionAt(location: SchemaLocation): SchemaNode {
    return remember(this.#functions, location.schema, () => new SchemaNode(this, location))
  }
}

/** The keywords that describe a value: serializers ignore those beside a reference as Fastify 4.x does. */
function describing(location: SchemaLocation): Readonly<Record<string, unknown>> {
  const { schema } = location
  if (!isSchemaObject(schema)) return {}
  const references = hasSiblings(location) ? [] : referencesOf(location)
  return references.length === 0
    ? schema
    : Object.fromEntries(references.map(({ keyword, ref }) => [keyword, ref]))
}

/** Keywords that check all properties. */
const OF_ALL_PROPERTIES = [
  'minProperties',
  'maxProperties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
]

/** Returns which properties of an object the keywords of a schema check. */
function seenBy(schema: Readonly<Record<string, unknown>>, isShared: boolean, allowsNull: boolean): Seen {
  const { properties, required, dependencies, dependentRequired, dependentSchemas } = schema
  const isWhole = OF_ALL_PROPERTIES.some((keyword) => schema[keyword] !== undefined)
  const maps = [properties, dependencies, dependentRequired, dependentSchemas].filter(isSchemaObject)
  const lists = [required, ...maps.flatMap((map) => Object.values(map))].filter((list) => Array.isArray(list))
  const names = [...maps.flatMap((map) => Object.keys(map)), ...lists.flat().map(String)]
  return new Seen(names, isWhole, isShared, allowsNull)
}

/** The conjunction of a schema whose keyword is read. */
function conjunctionAt(flattener: Flattener, { location }: SchemaNode, keyword: string): Conjunction {
  const conjunction = flattener.flatten([location])
  if (isStatic(conjunction)) return conjunction
  throw new SerializerBuildError(
    `"${keyword}" beside a union or a condition cannot choose between branches of a response; give the branches a property with a constant in each, by which they are chosen`,
    location.pointer,
  )
}

/** Whether the same schemas apply to every value. */
function isStatic({ unions, conditionals, members }: Conjunction): boolean {
  const isDependent = members.some(({ schema }) =>
    ['dependentSchemas', 'dependencies', 'if', 'contains'].some((keyword) => schema[keyword] !== undefined),
  )
  return unions.length === 0 && conditionals.length === 0 && !isDependent
}

/** Reads `unevaluatedProperties`. */
function unevaluatedProperties(flattener: Flattener, node: SchemaNode): Part<ObjectData> | undefined {
  const keyword = 'unevaluatedProperties'
  const conjunction = conjunctionAt(flattener, node, keyword)
  if (hasKeyword(conjunction, 'additionalProperties')) return undefined
  const patterns = conjunction.members.flatMap((member) =>
    entriesOf(member, 'patternProperties').map(([source, { pointer }]) =>
      matching(compilePattern(source, pointer)),
    ),
  )
  const names = new Undeclared([...declaredProperties(conjunction).keys()], patterns)
  return namedPart(node, names, keyword)
}

/** Reads `unevaluatedItems`. */
function unevaluatedItems(flattener: Flattener, node: SchemaNode): Part<ListData> | undefined {
  const keyword = 'unevaluatedItems'
  const conjunction = conjunctionAt(flattener, node, keyword)
  if (hasKeyword(conjunction, 'items')) return undefined
  const lengths = conjunction.members.map((member) => listOf(member.schema['prefixItems']).length)
  return new ItemsPart(new Child(node, keyword), Math.max(0, ...lengths))
}
