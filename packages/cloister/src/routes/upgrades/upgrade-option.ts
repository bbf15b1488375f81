import type { RouteUpgrade } from '../../types/upgrade.ts'
import { isFunction, isRecord } from '../../guards.ts'
import type { RouteRecord } from '../route-record.ts'

function isUpgrade(given: unknown): given is RouteUpgrade {
  return isRecord(given) && typeof given['protocol'] === 'string' && isFunction(given['take'])
}

/** Returns how a route switches to another protocol; `null` for a route that does not, such as its HEAD route. */
export function upgradeOf({ method, options }: Pick<RouteRecord, 'method' | 'options'>): RouteUpgrade | null {
  if (method !== 'GET') return null
  const given: unknown = Reflect.get(options, 'upgrade')
  return isUpgrade(given) ? given : null
}
