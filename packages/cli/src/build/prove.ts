import { compareRuns, type Difference } from '../exchanges/compare-responses.ts'
import type { RunExchange } from './exchange-file.ts'

/** The comparison of a built app with the app. */
export interface Proof {
  /** How many requests have the same response. */
  readonly equal: number
  /** How many have another one each time, also without a build. */
  readonly unsteady: number
  readonly differences: readonly Difference[]
  /** Why the built app has no response, by the key of the request. */
  readonly failures: ReadonlyMap<string, string>
}

/**
 * Compares the responses of a built app with those of the app: status, fields, body by its members, and its bytes.
 *
 * @param steady - the responses of the app in another process; what differs there is no difference
 */
export function prove(
  before: readonly RunExchange[],
  steady: readonly RunExchange[],
  built: readonly RunExchange[],
): Proof {
  const { equal, unsteady, unmatched, differences } = compareRuns(before, steady, built)
  if (unmatched > 0) throw new TypeError('the built app got other requests')
  const known = new Set(differences.map(({ exchange }) => exchange.key))
  const bytes = before.flatMap((exchange, index): Difference[] => {
    const [was, again, is] = [exchange, steady[index], built[index]].map((one) => one?.response ?? null)
    const isSteady = was?.body === again?.body
    if (known.has(exchange.key) || !isSteady || was?.body === is?.body) return []
    const changes = [
      { what: 'the bytes of the body', before: was?.body ?? 'none', after: is?.body ?? 'none' },
    ]
    return [{ exchange, before: was ?? null, after: is ?? null, changes }]
  })
  const failures = new Map(
    built.flatMap(({ key, failure }) => (failure === null ? [] : [[key, failure] as const])),
  )
  return { equal: equal - bytes.length, unsteady, differences: [...differences, ...bytes], failures }
}
