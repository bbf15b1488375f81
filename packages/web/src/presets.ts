import type { HeaderChoice } from 'cloister/inspect'

import { allowed } from './cors.ts'
import type { Settings } from './settings.ts'

/** The headers of a route that need no request to be decided, or only its origin. */
export function presetsOf({ headers, cors }: Settings): HeaderChoice {
  if (cors === null) return { fields: headers }
  if (cors.admits === '*') return { fields: { ...headers, ...allowed(cors, '*') } }
  const values = new Map(cors.exact.map((origin) => [origin, allowed(cors, origin)]))
  return { fields: { ...headers, vary: 'Origin' }, by: { field: 'origin', values } }
}
