import { META_SCHEMAS, type SchemaClosure } from '../store/closure.ts'
import { SchemaError } from '../errors.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import type { SchemaContent } from '../store/keys.ts'
import { nearestNames } from '../suggest.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import { normalizeUri, type SchemaLocation } from '../document/location.ts'
import { eachSubschema, type Path } from '../document/subschemas.ts'
import { MAX_SCHEMA_DEPTH, tooDeep } from '../document/depth.ts'
import { checkShapes } from './shapes.ts'
import { StrictCheck, type PatternContext } from './strict.ts'

/** Checks schemas before code is generated from them; a shared schema is checked once per engine. */
export class SchemaChecker {
  readonly #closures: WeakSet<SchemaClosure> = new WeakSet()
  readonly #documents: WeakSet<object> = new WeakSet()
  readonly #strict: StrictCheck = new StrictCheck('all')
  readonly #vocabulary: StrictCheck = new StrictCheck('vocabulary')
  readonly #patterns: StrictCheck = new StrictCheck('patterns')

  /**
   * Checks everything that makes a schema unusable for validation.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkForValidation(schema: unknown, prepared: PreparedSchema, patterns: () => PatternContext): void {
    this.checkForSerialization(schema, prepared)
    const { plain, refs } = prepared.content
    if (plain && refs.length === 0) return
    const root = prepared.rootNow(schema)
    if (plain) return this.#strict.checkShared(root, refs, prepared.scope, patterns())
    checkMetaSchema(root)
    this.#strict.check(root, prepared.scope, patterns())
  }

  /**
   * Checks the regular expressions alone, where options or plugins of Ajv decide everything else.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkPatterns(schema: unknown, prepared: PreparedSchema, patterns: () => PatternContext): void {
    const { plain, refs } = prepared.content
    const root = prepared.rootNow(schema)
    if (plain) this.#patterns.checkShared(root, refs, prepared.scope, patterns())
    else this.#patterns.check(root, prepared.scope, patterns())
  }

  /**
   * Checks for unknown keywords and formats, which strict mode does not ignore.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkVocabulary(schema: unknown, prepared: PreparedSchema): void {
    const { plain, refs } = prepared.content
    const root = prepared.rootNow(schema)
    if (plain) this.#vocabulary.checkShared(root, refs, prepared.scope)
    else this.#vocabulary.check(root, prepared.scope)
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

function checkDocument({ schema, document }: SchemaLocation, { names, pure }: SchemaContent): void {
  if (names && document.ambiguous !== undefined) {
    throw new SchemaError({
      code: 'SCHEMA_INVALID',
      reason: `two schemas in it have the "$id" "${document.ambiguous}"; rename one`,
      schemaId: document.sharedId,
    })
  }
  checkTree(schema, [], document.sharedId, pure ? undefined : new Set(), 0)
}

/** `ancestors` is kept for schemas that may contain themselves. */
function checkTree(
  schema: unknown,
  path: Path,
  sharedId: string | undefined,
  ancestors: Set<unknown> | undefined,
  depth: number,
): void {
  if (ancestors?.has(schema)) return
  if (depth > MAX_SCHEMA_DEPTH) throw tooDeep(path, sharedId)
  ancestors?.add(schema)
  checkShapes(schema, path, sharedId)
  eachSubschema(schema, path, (child) => checkTree(child, path, sharedId, ancestors, depth + 1))
  ancestors?.delete(schema)
}

function checkMetaSchema(root: SchemaLocation): void {
  const wanted = isSchemaObject(root.schema) ? root.schema['$schema'] : undefined
  if (typeof wanted !== 'string' || wanted === '' || META_SCHEMAS.includes(normalizeUri(wanted))) return
  throw new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `"$schema" names "${wanted}", but Cloister reads draft-07 schemas; write "${META_SCHEMAS[0]}#" or leave it out`,
    pointer: '/$schema',
    schemaId: root.document.sharedId,
    nearest: nearestNames(wanted, META_SCHEMAS),
  })
}
