import { SchemaError } from '../errors.ts'
import type { SchemaDocument } from '../document/location.ts'
import type { PreparedSchema } from '../store/prepared-schema.ts'
import { dynamicAnchorOf } from '../walk/dynamic-scope.ts'

/**
 * Throws if a `$dynamicRef` could lead to several schemas: a serializer is created before there is a value, and
 * reads each schema in one way.
 * @throws {@link SchemaError} `SCHEMA_INVALID`
 */
export function checkDynamicAnchors({ isDynamic, root, scope, closure }: PreparedSchema): void {
  if (!isDynamic) return
  const shared = closure.entries.flatMap(({ id }) => scope.openShared(id)?.document ?? [])
  const seen = new Set<string>()
  for (const document of new Set([root.document, ...shared])) {
    for (const anchor of dynamicAnchorsOf(document)) {
      if (seen.has(anchor)) throw ambiguous(anchor, document)
      seen.add(anchor)
    }
  }
}

function dynamicAnchorsOf({ named, dialect }: SchemaDocument): string[] {
  if (dialect === 'draft-07') return []
  return [...named.values()].flatMap((location) => dynamicAnchorOf(location) ?? [])
}

function ambiguous(anchor: string, { sharedId }: SchemaDocument): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `two schemas have the "$dynamicAnchor" "${anchor}", and a serializer cannot tell to which of them "$dynamicRef" leads; write "$ref" and "$anchor" in schemas of responses`,
    schemaId: sharedId,
  })
}
