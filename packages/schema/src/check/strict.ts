import { backtracksExponentially } from '../backtracking/index.ts'
import { refOf } from '../store/closure.ts'
import { SchemaError } from '../errors.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { hasReference } from '../has-reference.ts'
import { nearestNames } from '../nearest.ts'
import { pointerToken } from '../pointer.ts'
import { isAsyncSchema } from '../store/prepared-schema.ts'
import { childPlace, type SchemaPlace, type SchemaScope } from '../resolve-ref.ts'
import { acceptsAnything } from '../validator/accept-keywords.ts'
import { isExtensionKeyword } from '../validator/baseline.ts'
import { eachSubschema, pointerOf, type Path } from './each-subschema.ts'
import { isKnownFormat, isKnownKeyword, knownFormats, knownKeywords } from './known-keywords.ts'

/*
 * What Ajv's strict mode complains about, found without Ajv. Only schemas that a value can reach are
 * looked at: an unused definition may hold anything of the right shape.
 */

/** How a schema is reached; some complaints depend on it. */
interface Reach {
  /** Inside anyOf, oneOf, not, if, contains or propertyNames: defaults would be ignored. */
  readonly composite: boolean
  /** Root of a function of its own: its own default would be ignored. */
  readonly root: boolean
}

/** Where the check is: a document, and the way from the place where it was entered. */
interface Position {
  readonly entry: SchemaPlace
  readonly path: Path
}

const COMPOSITE = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames'])
const NOT_APPLIED = new Set(['definitions', '$defs'])

/** Checks everything that a value can reach from a schema; one per engine and kind. */
export class StrictCheck {
  readonly #memory: StrictMemory
  /** References that lead to checked schemas; a scope never changes. */
  readonly #passedRefs: WeakMap<SchemaScope, Set<string>> = new WeakMap()

  /** @param vocabularyOnly - true: unknown keywords and formats are all that is looked for */
  constructor(vocabularyOnly: boolean = false) {
    this.#memory = { passed: new WeakMap(), referring: new WeakMap(), vocabularyOnly }
  }

  /** @throws {@link SchemaError} `SCHEMA_INVALID` */
  check(root: SchemaPlace, scope: SchemaScope): void {
    const run = new StrictRun(scope, this.#memory, isAsyncSchema(root.schema))
    run.enter(root, { composite: false, root: true })
    run.remember()
  }

  /**
   * The same for a schema of which only what it refers to needs a check.
   * @param refs references to shared schemas
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkShared(root: SchemaPlace, refs: readonly string[], scope: SchemaScope): void {
    if (refs.length === 0) return
    const passed = this.#passedRefs.get(scope) ?? new Set()
    this.#passedRefs.set(scope, passed)
    for (const ref of refs) {
      if (passed.has(ref)) continue
      const run = new StrictRun(scope, this.#memory, false)
      run.follow({ ...root, schema: { $ref: ref } }, { composite: false, root: false })
      run.remember()
      passed.add(ref)
    }
  }
}

/** What is known about referenced schemas, which many schemas have in common. */
interface StrictMemory {
  /** In which ways they have been reached without a complaint. */
  readonly passed: WeakMap<object, Set<string>>
  /** Whether they refer to others. */
  readonly referring: WeakMap<object, boolean>
  readonly vocabularyOnly: boolean
}

/** The check of one schema. */
class StrictRun {
  readonly #scope: SchemaScope
  readonly #memory: StrictMemory
  readonly #isAsync: boolean
  readonly #entered: { readonly schema: object; readonly way: string; readonly shared: boolean }[] = []

  constructor(scope: SchemaScope, memory: StrictMemory, isAsync: boolean) {
    this.#scope = scope
    this.#memory = memory
    this.#isAsync = isAsync
  }

  enter(entry: SchemaPlace, reach: Reach): void {
    const { schema } = entry
    if (!isSchemaObject(schema)) return
    const way = `${reach.composite} ${reach.root} ${this.#isAsync}`
    if (this.#memory.passed.get(schema)?.has(way)) return
    if (this.#entered.some((known) => known.schema === schema && known.way === way)) return
    this.#entered.push({ schema, way, shared: entry.document.sharedId !== undefined })
    this.#visit(schema, { entry, path: [] }, reach, new Set())
  }

  /** To be called when nothing was wrong; before that, a schema in a circle may seem right too early. */
  remember(): void {
    for (const { schema, way, shared } of this.#entered) {
      // Others belong to the user, who may change them.
      if (!shared) continue
      const ways = this.#memory.passed.get(schema)
      if (ways === undefined) this.#memory.passed.set(schema, new Set([way]))
      else ways.add(way)
    }
  }

  #visit(schema: unknown, position: Position, reach: Reach, ancestors: Set<unknown>): void {
    if (!isSchemaObject(schema) || ancestors.has(schema)) return
    checkKeywords(schema, position)
    if (acceptsAnything(schema)) return
    if (!this.#memory.vocabularyOnly) this.#checkApplication(schema, position, reach)
    if (schema['$ref'] !== undefined) this.follow(childPlace(position.entry, position.path), reach)
    ancestors.add(schema)
    eachSubschema(schema, position.path, (child, keyword) => {
      if (NOT_APPLIED.has(keyword) || (!this.#memory.vocabularyOnly && isSkipped(schema, keyword))) return
      const composite = reach.composite || COMPOSITE.has(keyword)
      this.#visit(child, position, { composite, root: false }, ancestors)
    })
    ancestors.delete(schema)
  }

  #checkApplication(schema: Record<string, unknown>, position: Position, reach: Reach): void {
    checkCombinations(schema, position, reach)
    checkPatterns(schema, position)
    if (schema['$async'] === true && !this.#isAsync) {
      throw complaint(position, '$async', 'only works when the schema it is part of is asynchronous too')
    }
  }

  /** Checks what a reference leads to. */
  follow(place: SchemaPlace, reach: Reach): void {
    const ref = refOf(place)
    const target = ref === undefined ? undefined : this.#scope.resolve(place, ref)
    if (target === undefined || !isObject(target.schema)) return
    // Ajv pastes a referenced schema in place unless it has references itself.
    const { referring } = this.#memory
    const called = referring.get(target.schema) ?? hasReference(target.schema)
    referring.set(target.schema, called)
    this.enter(target, { composite: !called && reach.composite, root: called })
  }
}

function checkKeywords(schema: Record<string, unknown>, position: Position): void {
  for (const keyword of Object.keys(schema)) {
    if (isKnownKeyword(keyword) || isExtensionKeyword(keyword)) continue
    if (keyword === 'id') throw complaint(position, keyword, 'is the draft-4 name; write "$id"')
    throw complaint(
      position,
      keyword,
      'is no keyword; correct it, prefix it with "x-", or define it with an Ajv plugin',
      nearestNames(keyword, knownKeywords()),
    )
  }
  const { format } = schema
  if (typeof format === 'string' && !isKnownFormat(format)) {
    throw complaint(
      position,
      'format',
      `names an unknown format "${format}"; correct it, or define it with ajv.customOptions.formats`,
      nearestNames(format, knownFormats()),
    )
  }
}

/** Ajv does not look into a union that accepts anything, nor into a condition without consequence. */
function isSkipped(schema: Record<string, unknown>, keyword: string): boolean {
  const value = schema[keyword]
  if (keyword === 'anyOf') return Array.isArray(value) && value.some(acceptsAnything)
  if (keyword !== 'if') return false
  return ['then', 'else'].every((clause) => schema[clause] === undefined || acceptsAnything(schema[clause]))
}

function checkCombinations(
  schema: Record<string, unknown>,
  position: Position,
  { composite, root }: Reach,
): void {
  const { type, nullable, items, properties, patternProperties } = schema
  if (root && schema['default'] !== undefined) {
    throw complaint(
      position,
      'default',
      'is ignored at the root of a schema; put it where the schema is a property, or remove it',
    )
  }
  if (nullable !== undefined && type === undefined)
    throw complaint(position, 'nullable', 'needs "type" beside it')
  if (nullable === false && (type === 'null' || (Array.isArray(type) && type.includes('null')))) {
    throw complaint(position, 'nullable', 'is false, but "type" admits null; keep one of them')
  }
  if (schema['additionalItems'] !== undefined && !Array.isArray(items)) {
    throw complaint(position, 'additionalItems', 'is ignored unless "items" is an array of schemas')
  }
  if (schema['if'] !== undefined && schema['then'] === undefined && schema['else'] === undefined) {
    throw complaint(position, 'if', 'is ignored without "then" and "else"')
  }
  for (const clause of ['then', 'else']) {
    if (schema[clause] !== undefined && schema['if'] === undefined)
      throw complaint(position, clause, 'is ignored without "if"')
  }
  if (composite) checkIgnoredDefaults(position, properties, items)
  if (isSchemaObject(patternProperties) && isSchemaObject(properties))
    checkOverlap(position, properties, patternProperties)
}

/** Requests are matched against these expressions. */
function checkPatterns({ pattern, patternProperties }: Record<string, unknown>, position: Position): void {
  if (typeof pattern === 'string' && backtracksExponentially(pattern)) {
    throw complaint(position, 'pattern', dearPattern(pattern))
  }
  if (!isSchemaObject(patternProperties)) return
  const key = Object.keys(patternProperties).find(backtracksExponentially)
  if (key !== undefined) throw complaint(position, 'patternProperties', dearPattern(key))
}

function dearPattern(source: string): string {
  return `has the expression ${JSON.stringify(source)}, whose time doubles with each character of a text that does not match; write it so that a text can be read in one way only, as "^a+(?:-a+)*$" instead of "^(a+-?)*$", or give Ajv an engine without backtracking by ajv.customOptions.code.regExp`
}

function checkIgnoredDefaults(position: Position, properties: unknown, items: unknown): void {
  const entries: [string, unknown][] = []
  if (isSchemaObject(properties)) {
    for (const [key, entry] of Object.entries(properties))
      entries.push([`properties/${pointerToken(key)}/default`, entry])
  }
  if (Array.isArray(items)) items.forEach((entry, index) => entries.push([`items/${index}/default`, entry]))
  for (const [path, entry] of entries) {
    if (!isSchemaObject(entry) || entry['default'] === undefined) continue
    throw new SchemaError({
      code: 'SCHEMA_INVALID',
      reason:
        '"default" is ignored inside anyOf, oneOf, not, if, contains and propertyNames; move it out or remove it',
      pointer: `${pointer(position)}/${path}`,
      schemaId: position.entry.document.sharedId,
    })
  }
}

function checkOverlap(
  position: Position,
  properties: Record<string, unknown>,
  patternProperties: Record<string, unknown>,
): void {
  const patterns = Object.keys(patternProperties)
  if (patterns.every((pattern) => acceptsAnything(patternProperties[pattern]))) return
  for (const pattern of patterns) {
    const matched = Object.keys(properties).find((name) => new RegExp(pattern).test(name))
    if (matched === undefined) continue
    throw complaint(
      position,
      'patternProperties',
      `has the pattern ${JSON.stringify(pattern)}, which also matches the property "${matched}"; narrow it, or set ajv.customOptions.allowMatchingProperties`,
    )
  }
}

function pointer({ entry, path }: Position): string {
  return entry.pointer + pointerOf(path)
}

function complaint(
  position: Position,
  keyword: string,
  reason: string,
  nearest: readonly string[] = [],
): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `"${keyword}" ${reason}`,
    pointer: `${pointer(position)}/${pointerToken(keyword)}`,
    schemaId: position.entry.document.sharedId,
    nearest,
  })
}
