import type { SchemaClosure } from '../store/closure.ts'
import { SchemaError } from '../errors.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import type { SchemaContent } from '../store/keys.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import type { SchemaLocation } from '../document/location.ts'
import { eachSubschema, type Path } from '../document/subschemas.ts'
import { MAX_SCHEMA_DEPTH, tooDeep } from '../document/depth.ts'
import { STRICT_RULES, type SchemaRules } from '../document/schema-rules.ts'
import { checkDialect } from './dialect.ts'
import { checkShapes } from './shapes.ts'
import type { PatternContext } from './patterns.ts'
import { StrictCheck } from './strict.ts'

/** Checks schemas before code is generated from them; checks each shared schema once per engine. */
export class SchemaChecker {
  readonly #closures: WeakSet<SchemaClosure> = new WeakSet()
  readonly #documents: WeakSet<object> = new WeakSet()
  readonly #strict: StrictCheck
  readonly #vocabulary: StrictCheck = new StrictCheck('vocabulary', STRICT_RULES)
  readonly #patterns: StrictCheck = new StrictCheck('patterns', STRICT_RULES)

  /** @param rules - the keywords and formats that schemas of requests may have */
  constructor(rules: SchemaRules = STRICT_RULES) {
    this.#strict = new StrictCheck('all', rules)
  }

  /**
   * Checks everything that makes a schema unusable for validation.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkForValidation(schema: unknown, prepared: PreparedSchema, patterns: () => PatternContext): void {
    this.checkForSerialization(schema, prepared)
    const { plain, refs } = prepared.content
    if (plain && refs.length === 0) return
    run(this.#strict, schema, prepared, patterns())
  }

  /**
   * Checks only the regular expressions, when options or plugins of Ajv decide everything else.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkPatterns(schema: unknown, prepared: PreparedSchema, patterns: () => PatternContext): void {
    run(this.#patterns, schema, prepared, patterns())
  }

  /**
   * Checks for unknown keywords and formats, which strict mode does not ignore.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkVocabulary(schema: unknown, prepared: PreparedSchema): void {
    run(this.#vocabulary, schema, prepared)
  }

  /**
   * Checks everything that makes a schema unusable for serialization in both modes. Unknown keywords and formats are
   * allowed.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkForSerialization(schema: unknown, prepared: PreparedSchema): void {
    const { content, closure } = prepared
    if (!content.plain) checkDocument(prepared.rootNow(schema), content)
    if (this.#closures.has(closure)) return
    const { scope } = prepared
    for (const { id, content: shared } of closure.entries) {
      const location = scope.openShared(id)
      if (location === undefined || !isObject(location.schema) || this.#documents.has(location.schema))
        continue
      checkDocument(location, shared)
      this.#documents.add(location.schema)
    }
    this.#closures.add(closure)
  }
}

/** A plain schema only needs a check of what it refers to. */
function run(check: StrictCheck, schema: unknown, prepared: PreparedSchema, patterns?: PatternContext): void {
  const { content, scope } = prepared
  const root = prepared.rootNow(schema)
  if (content.plain) check.checkShared(root, content.refs, scope, patterns)
  else check.check(root, scope, patterns)
}

function checkDocument(root: SchemaLocation, { names, pure }: SchemaContent): void {
  const { document } = root
  if (names && document.ambiguous !== undefined) {
    throw new SchemaError({
      code: 'SCHEMA_INVALID',
      reason: `two schemas in it have the "$id" "${document.ambiguous}"; rename one`,
      schemaId: document.sharedId,
    })
  }
  checkTree(root, root.schema, [], pure ? undefined : new Set())
}

/** @param ancestors - set for schemas that may contain themselves */
function checkTree(
  root: SchemaLocation,
  schema: unknown,
  path: Path,
  ancestors: Set<unknown> | undefined,
  depth: number = 0,
): void {
  const { sharedId, dialect } = root.document
  if (ancestors?.has(schema)) return
  if (depth > MAX_SCHEMA_DEPTH) throw tooDeep(path, sharedId)
  ancestors?.add(schema)
  checkShapes(schema, path, sharedId, dialect)
  // Serializers in compat mode ignore an unknown "$schema", as in Fastify 4.x.
  if (isSchemaObject(schema)) checkDialect(schema, { entry: root, path }, true)
  eachSubschema(schema, path, (child) => checkTree(root, child, path, ancestors, depth + 1))
  ancestors?.delete(schema)
}
