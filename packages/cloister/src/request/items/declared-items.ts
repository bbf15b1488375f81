import type { PlanSerializers } from '../route-plan.ts'
import { ITEM_TYPES } from './item-types.ts'

/** Whether a response has a stream of items among its media types. */
export function declaresItems(serializers: PlanSerializers | null): boolean {
  if (serializers === null) return false
  const { byStatus, byClass, fallback } = serializers
  const entries = [...byStatus.values(), ...byClass, fallback]
  return entries.some((entry) => [...(entry?.byMediaType?.keys() ?? [])].some((type) => ITEM_TYPES.has(type)))
}
