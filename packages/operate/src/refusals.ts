import type { StrictReport } from 'cloister'

/** How many requests or responses of a route `strict` would refuse for one reason. */
export interface Refusals {
  readonly method: string
  readonly route: string
  readonly reason: string
  readonly count: number
}

/** Lists what `strict` would refuse. Routes with the same method and path, such as versions, add up. */
export function refusalsIn({ routes }: StrictReport): readonly Refusals[] {
  const found = new Map<string, Refusals>()
  for (const { method, url: route, counts } of routes) {
    for (const [reason, count] of Object.entries(counts)) {
      const key = JSON.stringify([method, route, reason])
      const before = found.get(key)?.count ?? 0
      found.set(key, { method, route, reason, count: before + count })
    }
  }
  return [...found.values()]
}
