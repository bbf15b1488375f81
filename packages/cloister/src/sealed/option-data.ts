import type { OptionRow } from '../options/option-row.ts'
import { OPTIONS as ROWS, ROUTER_OPTIONS } from '../options/option-table.ts'
import { routeOnlyOptions } from '../options/rows/routes.ts'

/** What a sealed build keeps of the row of an option. */
export interface OptionData extends Pick<OptionRow, 'default' | 'strict' | 'shown'> {
  /**
   * the types of its values, as `typeof` names them, or `any`; the build leaves out those of options that the app does
   * not name
   */
  readonly types?: readonly string[]
  /** values that it takes besides */
  readonly words?: readonly string[]
  /** values that stand for others, and these */
  readonly read?: readonly (readonly [given: unknown, value: unknown])[]
  /** routes have it too */
  readonly isShared?: true
}

/** Types after the check, by what `typeof` says of their values. All others are objects. */
const TYPES: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  false: 'boolean',
  number: 'number',
  string: 'string',
  AnyFunction: 'function',
}

const WORD = /^'(.*)'$/
const LIST = /readonly (?:\([^)]*\)|\w+)\[\]/g

function dataOf({ kind, default: otherwise, strict, shown, route }: OptionRow): OptionData {
  const parts = kind.checked.replaceAll(LIST, 'object').split(' | ')
  const words = parts.flatMap((part) => WORD.exec(part)?.[1] ?? [])
  const types = parts.filter((part) => !WORD.test(part)).map((part) => TYPES[part] ?? 'object')
  const read = [true, false, '']
    .map((given) => [given, kind.read(given)] as const)
    .filter(([given, value]) => value !== undefined && value !== given)
  return {
    default: otherwise,
    ...(strict !== undefined && { strict }),
    ...(shown !== undefined && { shown }),
    types: kind.checked === 'unknown' ? ['any'] : [...new Set(types)],
    ...(words.length > 0 && { words }),
    ...(read.length > 0 && { read }),
    ...(route !== undefined && { isShared: true }),
  }
}

/*
 * These are constants of data. The build for workers replaces this module by their values, so that it contains no rows.
 */

/** The options of the factory. */
export const OPTION_DATA: Readonly<Record<string, OptionData>> = Object.fromEntries(
  [...ROWS].map(([name, row]) => [name, dataOf(row)]),
)

/** The names of the options of the router. */
export const ROUTER_NAMES: readonly string[] = ROUTER_OPTIONS

/** The names of the options that only routes have. */
export const ROUTE_NAMES: readonly string[] = Object.keys(routeOnlyOptions)
