import { childLocation, schemasInPlace } from '@cloister/schema'
import { isPlainObject } from '@cloister/schema/internal'

import type { Context } from '../../context/context.ts'
import { schemaScopeOf } from '../../context/shared-schemas.ts'
import { isRecord } from '../../guards.ts'

/** Returns the properties of a query that may be objects, following `$ref`, `allOf`, unions and conditions. */
export function referredObjectNames(schema: unknown, context: Context): readonly string[] {
  const scope = schemaScopeOf(context, new WeakMap())
  const names = new Set<string>()
  for (const { at, schema: part } of schemasInPlace(scope.open(schema), scope)) {
    const declared = isPlainObject(part['properties']) ? Object.keys(part['properties']) : []
    for (const name of declared) {
      const property = schemasInPlace(childLocation(at, ['properties', name]), scope)
      if ([...property].some((one) => isOfObjects(one.schema))) names.add(name)
    }
  }
  return [...names]
}

/** Whether a schema says itself that a value may be an object. */
export function isOfObjects(schema: unknown): boolean {
  const type = isRecord(schema) ? schema['type'] : undefined
  return Array.isArray(type) ? type.includes('object') : type === 'object'
}
