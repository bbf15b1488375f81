import { hasReference, referencesOf } from '../document/references.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { remember } from '../remember.ts'
import { isAsyncSchema } from '../store/prepared-schema.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { acceptsAnything } from '../document/known-keywords.ts'
import { DEFINITIONS, eachSubschema } from '../document/subschemas.ts'
import { checkPatterns, type PatternContext } from './patterns.ts'
import type { SchemaRules } from '../document/schema-rules.ts'
import { complaint, type Position } from './complaint.ts'
import { checkDialect } from './dialect.ts'
import { checkCombinations, checkVocabulary, isSkipped, type Reach } from './strict-rules.ts'

/*
 * The checks of Ajv's strict mode, without Ajv. They only cover schemas that a value can reach: an unused definition
 * may contain anything of the right form.
 */

const COMPOSITE = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames'])

/** What is checked: everything in Ajv's strict mode and the regular expressions, or only one of them. */
export type StrictKind = 'all' | 'vocabulary' | 'patterns'

/** For kinds of check that skip expressions. */
const NO_PATTERNS: PatternContext = {
  limits: { longest: 0, maxLengthGuards: true },
  report: () => undefined,
}

/** Checks everything that a value can reach from a schema; one per engine and kind. */
export class StrictCheck {
  readonly #memory: StrictMemory
  /** References whose targets have passed; they stay valid, because a scope never changes. */
  readonly #passedRefs: WeakMap<SchemaScope, Set<string>> = new WeakMap()

  constructor(kind: StrictKind, rules: SchemaRules) {
    this.#memory = { passed: new WeakMap(), referring: new WeakMap(), kind, rules }
  }

  /** @throws {@link SchemaError} `SCHEMA_INVALID` */
  check(root: SchemaLocation, scope: SchemaScope, patterns: PatternContext = NO_PATTERNS): void {
    const run = new StrictRun(scope, this.#memory, isAsyncSchema(root.schema), patterns)
    run.enter(root, { composite: false, root: true })
    run.remember()
  }

  /**
   * Does the same as {@link check}, for a schema of which only the references need a check.
   * @param refs - references to shared schemas
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkShared(
    root: SchemaLocation,
    refs: readonly string[],
    scope: SchemaScope,
    patterns: PatternContext = NO_PATTERNS,
  ): void {
    if (refs.length === 0) return
    const passed = remember(this.#passedRefs, scope, () => new Set())
    for (const ref of refs) {
      const key = `${patterns.limits.longest} ${ref}`
      if (passed.has(key)) continue
      const run = new StrictRun(scope, this.#memory, false, patterns)
      run.follow({ ...root, schema: { $ref: ref } }, { composite: false, root: false })
      run.remember()
      passed.add(key)
    }
  }
}

interface StrictMemory {
  /** How they were reached without an error. */
  readonly passed: WeakMap<object, Set<string>>
  readonly referring: WeakMap<object, boolean>
  readonly kind: StrictKind
  readonly rules: SchemaRules
}

class StrictRun {
  readonly #scope: SchemaScope
  readonly #memory: StrictMemory
  readonly #isAsync: boolean
  readonly #patterns: PatternContext
  readonly #entered: { readonly schema: object; readonly way: string; readonly shared: boolean }[] = []

  constructor(scope: SchemaScope, memory: StrictMemory, isAsync: boolean, patterns: PatternContext) {
    this.#patterns = patterns
    this.#scope = scope
    this.#memory = memory
    this.#isAsync = isAsync
  }

  enter(entry: SchemaLocation, reach: Reach): void {
    const { schema } = entry
    if (!isSchemaObject(schema)) return
    const way = `${reach.composite} ${reach.root} ${this.#isAsync} ${this.#patterns.limits.longest}`
    if (this.#memory.passed.get(schema)?.has(way)) return
    if (this.#entered.some((known) => known.schema === schema && known.way === way)) return
    this.#entered.push({ schema, way, shared: entry.document.sharedId !== undefined })
    this.#visit(schema, { entry, path: [] }, reach, new Set())
  }

  /**
   * Records the passed schemas. Call it after a check without errors: within a reference cycle a schema may seem
   * valid too early.
   */
  remember(): void {
    for (const { schema, way, shared } of this.#entered) {
      // Unshared schemas belong to the user, who may change them.
      if (shared) remember(this.#memory.passed, schema, () => new Set()).add(way)
    }
  }

  #visit(schema: unknown, position: Position, reach: Reach, ancestors: Set<unknown>): void {
    if (!isSchemaObject(schema) || ancestors.has(schema)) return
    const { kind, rules } = this.#memory
    checkDialect(schema, position, kind === 'patterns')
    if (kind !== 'patterns') checkVocabulary(schema, position, rules)
    if (acceptsAnything(schema)) return
    if (kind !== 'vocabulary') checkPatterns(schema, position, this.#patterns)
    if (kind === 'all') this.#checkApplication(schema, position, reach)
    if (schema['$ref'] !== undefined || schema['$dynamicRef'] !== undefined) {
      this.follow(childLocation(position.entry, position.path), reach)
    }
    const { dialect } = position.entry.document
    ancestors.add(schema)
    eachSubschema(schema, position.path, (child, keyword) => {
      if (DEFINITIONS.has(keyword) || (kind === 'all' && isSkipped(schema, keyword, dialect))) return
      const composite = reach.composite || COMPOSITE.has(keyword)
      this.#visit(child, position, { composite, root: false }, ancestors)
    })
    ancestors.delete(schema)
  }

  #checkApplication(schema: Record<string, unknown>, position: Position, reach: Reach): void {
    checkCombinations(schema, position, reach, this.#memory.rules)
    if (schema['$async'] === true && !this.#isAsync) {
      throw complaint(position, '$async', 'only works when the schema it is part of is asynchronous too')
    }
  }

  follow(location: SchemaLocation, reach: Reach): void {
    for (const { ref } of referencesOf(location)) {
      const target = this.#scope.resolve(location, ref)
      if (target === undefined || !isObject(target.schema)) continue
      // Ajv inlines a referenced schema, unless it contains references itself.
      const { schema } = target
      const called = remember(this.#memory.referring, schema, () => hasReference(schema))
      this.enter(target, { composite: !called && reach.composite, root: called })
    }
  }
}
