/** Reads schemas into predicates. */
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import { hasSiblings, referencesOf } from '../../document/references.ts'
import { isSchemaObject } from '../../guards.ts'
import { SerializerBuildError } from '../build-error.ts'
import type { PredicateNode, TestNode } from '../predicate-node.ts'
import { Flattener } from './conjunction.ts'
import { unevaluatedTests } from './unevaluated.ts'
import { arrayTests, literalTests, numberTests, objectTests, stringTests, typeTests } from './tests.ts'
import { listOf, type RefScope, type SchemaObject } from './source.ts'

/** A schema object whose tests are read. */
export interface TestedSchema {
  readonly schema: SchemaObject
  readonly location: SchemaLocation
  /** Reads the schema below, at `keys`. */
  readonly read: (...keys: (string | number)[]) => PredicateNode
}

/** Reads predicates; each schema once, so that recursion ends. */
export class PredicateReader {
  readonly #scope: RefScope
  readonly #flattener: Flattener
  readonly #known = new Map<unknown, PredicateNode>()

  constructor(scope: RefScope) {
    this.#scope = scope
    this.#flattener = new Flattener(scope)
  }

  /** Returns the predicate of a schema. */
  read(location: SchemaLocation): PredicateNode {
    const { schema } = location
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const predicate: PredicateNode = { tests: [], allowsNull: false }
    this.#known.set(schema, predicate)
    if (schema === false) predicate.tests = [{ kind: 'never' }]
    else if (isSchemaObject(schema)) {
      predicate.tests = this.#testsOf(schema, location)
      predicate.allowsNull = schema['nullable'] === true
    }
    return predicate
  }

  #testsOf(schema: SchemaObject, location: SchemaLocation): TestNode[] {
    const targets = referencesOf(location).map(({ ref }) => this.#target(ref, location))
    const referenced = targets.map((predicate): TestNode => ({ kind: 'matches', predicate }))
    if (targets.length > 0 && !hasSiblings(location)) return referenced
    const tested: TestedSchema = {
      schema,
      location,
      read: (...keys) => this.read(childLocation(location, keys)),
    }
    return [
      ...referenced,
      ...typeTests(tested),
      ...literalTests(tested),
      ...numberTests(tested),
      ...stringTests(tested),
      ...arrayTests(tested),
      ...objectTests(tested),
      ...combinationTests(tested),
      ...unevaluatedTests(this.#flattener, tested),
    ]
  }

  #target(ref: string, location: SchemaLocation): PredicateNode {
    const target = this.#scope.resolve(location, ref)
    if (target !== undefined) return this.read(target)
    throw new SerializerBuildError(`cannot find the reference ${JSON.stringify(ref)}`, location.pointer)
  }
}

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
function combinationTests({ schema, read }: TestedSchema): TestNode[] {
  const listed = (keyword: string): PredicateNode[] =>
    listOf(schema[keyword]).map((_, index) => read(keyword, index))
  const optional = (keyword: string): PredicateNode | undefined =>
    schema[keyword] === undefined ? undefined : read(keyword)
  const tests: TestNode[] = listed('allOf').map((predicate) => ({ kind: 'matches', predicate }))
  const anyOf = listed('anyOf')
  if (anyOf.length > 0) tests.push({ kind: 'any', predicates: anyOf })
  const oneOf = listed('oneOf')
  if (oneOf.length > 0) tests.push({ kind: 'one', predicates: oneOf })
  const not = optional('not')
  if (not !== undefined) tests.push({ kind: 'fails', predicate: not })
  const test = optional('if')
  if (test !== undefined) {
    tests.push({ kind: 'condition', test, then: optional('then'), otherwise: optional('else') })
  }
  return tests
}
