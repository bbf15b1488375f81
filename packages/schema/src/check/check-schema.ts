import { META_SCHEMAS, subPlaces, type SchemaClosure } from '../closure.ts'
import { SchemaError } from '../errors.ts'
import { isSchemaObject } from '../guards.ts'
import { nearestNames } from '../nearest.ts'
import { normalizeUri, type SchemaPlace, type SchemaScope } from '../resolve-ref.ts'
import { checkShapes } from './shapes.ts'
import { StrictCheck } from './strict.ts'

/** Checks schemas before anything is generated from them; each document once per engine. */
export class SchemaChecker {
  readonly #shapesChecked: WeakSet<object> = new WeakSet()

  /**
   * Everything that makes a schema unusable for validation.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkForValidation(root: SchemaPlace, scope: SchemaScope, closure: SchemaClosure): void {
    this.checkForSerialization(root, scope, closure)
    checkMetaSchema(root)
    new StrictCheck(scope, root).check(root)
  }

  /**
   * What makes a schema unusable for serialization: unknown keywords and formats are no reason.
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  checkForSerialization(root: SchemaPlace, scope: SchemaScope, closure: SchemaClosure): void {
    this.#checkDocument(root)
    for (const { id } of closure.entries) {
      const shared = scope.openShared(id)
      if (shared !== undefined) this.#checkDocument(shared)
    }
  }

  #checkDocument(root: SchemaPlace): void {
    if (isSchemaObject(root.schema) && this.#shapesChecked.has(root.schema)) return
    const { ambiguous, sharedId } = root.document
    if (ambiguous !== undefined) {
      throw new SchemaError({
        code: 'SCHEMA_INVALID',
        reason: `two schemas in it have the "$id" "${ambiguous}"; rename one`,
        schemaId: sharedId,
      })
    }
    checkTree(root, new Set())
    if (isSchemaObject(root.schema)) this.#shapesChecked.add(root.schema)
  }
}

function checkTree(place: SchemaPlace, ancestors: Set<unknown>): void {
  if (ancestors.has(place.schema)) return
  ancestors.add(place.schema)
  checkShapes(place.schema, place.pointer, place.document.sharedId)
  for (const child of subPlaces(place)) checkTree(child, ancestors)
  ancestors.delete(place.schema)
}

function checkMetaSchema(root: SchemaPlace): void {
  const wanted = isSchemaObject(root.schema) ? root.schema['$schema'] : undefined
  if (typeof wanted !== 'string' || wanted === '' || META_SCHEMAS.includes(normalizeUri(wanted))) return
  throw new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `"$schema" asks for "${wanted}", but schemas here are draft-07; write "${META_SCHEMAS[0]}#" or leave it out`,
    pointer: '/$schema',
    schemaId: root.document.sharedId,
    nearest: nearestNames(wanted, META_SCHEMAS),
  })
}
