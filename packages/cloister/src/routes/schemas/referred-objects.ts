import { childLocation } from '@cloister/schema'
import { isPlainObject } from '@cloister/schema/internal'

import type { Context } from '../../context/context.ts'
import { schemaScopeOf } from '../../context/shared-schemas.ts'
import { IN_PLACE, inPlace, isOfObjects } from './in-place.ts'

/** Returns the properties of a query that may be objects, following `$ref`, `allOf` and unions. */
export function referredObjectNames(schema: unknown, context: Context): readonly string[] {
  const scope = schemaScopeOf(context, new WeakMap())
  const names = new Set<string>()
  for (const { at, schema: part } of inPlace(scope.open(schema), scope, IN_PLACE)) {
    const declared = isPlainObject(part['properties']) ? Object.keys(part['properties']) : []
    for (const name of declared) {
      const property = inPlace(childLocation(at, ['properties', name]), scope, IN_PLACE)
      if ([...property].some((one) => isOfObjects(one.schema))) names.add(name)
    }
  }
  return [...names]
}
