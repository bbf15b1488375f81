import type { Kind, OptionRow } from '../options/option-row.ts'
import { outdated } from './outdated.ts'
import { OPTION_DATA, ROUTER_NAMES, type OptionData } from './option-data.ts'

/*
 * A sealed worker has this table in place of `options/option-table.ts`. Its options were checked when it was built. The
 * types of those that come from its environment are checked again, without their ranges.
 */

function kindOf({ types, words = [], read = [] }: OptionData): Kind<unknown> {
  const takes = (value: unknown, of: readonly string[]): boolean =>
    of.includes('any') ||
    (of.includes(typeof value) && value !== '' && !Number.isNaN(value)) ||
    words.some((word) => word === value)
  return {
    read: (given) => {
      if (types === undefined) return outdated()
      const isText = types.includes('string') || types.includes('any')
      const isDigits = typeof given === 'string' && !isText && /^\d+$/.test(given)
      const [, value] = read.find(([one]) => one === given) ?? [given, isDigits ? Number(given) : given]
      return takes(value, types) ? value : undefined
    },
    type: '',
    checked: '',
    expected: [...(types ?? []), ...words].join(' or '),
  }
}

/** See `rows/connections.ts`: what trusts every client. */
const believesAnyone = (given: unknown): string | null =>
  given === true || typeof given === 'number' ? 'must name your proxies by address' : null

function rowOf(name: string, data: OptionData): OptionRow {
  const { default: otherwise, strict, shown, isShared } = data
  return {
    doc: '',
    kind: kindOf(data),
    default: otherwise,
    ...(strict !== undefined && { strict }),
    ...(shown !== undefined && { shown }),
    ...(isShared === true && { route: { doc: '' } }),
    ...(name === 'trustProxy' && { strictProblem: believesAnyone }),
  }
}

/** The options of the factory. */
export const OPTIONS: ReadonlyMap<string, OptionRow> = new Map(
  Object.entries(OPTION_DATA).map(([name, data]) => [name, rowOf(name, data)]),
)

/** The names of the options of the router. */
export const ROUTER_OPTIONS: readonly string[] = ROUTER_NAMES
