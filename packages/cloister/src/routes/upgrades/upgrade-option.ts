import type { RouteUpgrade } from '../../types/upgrade.ts'
import { isFunction, isRecord } from '../../guards.ts'

function isUpgrade(given: unknown): given is RouteUpgrade {
  return isRecord(given) && typeof given['protocol'] === 'string' && isFunction(given['take'])
}

/** Returns how a route switches to another protocol; `null` for a route that does not. */
export function upgradeOf({ options }: { readonly options: object }): RouteUpgrade | null {
  const given: unknown = Reflect.get(options, 'upgrade')
  return isUpgrade(given) ? given : null
}
