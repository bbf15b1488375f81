import { typesOf } from './json-types.ts'
import { VOCABULARY } from './vocabulary.ts'

/** The only type of the values to which a keyword applies. */
export const TYPE_OF: ReadonlyMap<string, string> = new Map(
  VOCABULARY.flatMap(({ name, groups = [] }) =>
    groups.length === 1 ? groups.map((group) => [name, group] as const) : [],
  ),
)

/** Whether a keyword checks nothing, because the types beside it exclude all values to which it applies. */
export function isIdle(keyword: string, schema: Readonly<Record<string, unknown>>): boolean {
  const wanted = TYPE_OF.get(keyword)
  if (wanted === undefined) return false
  const types = typesOf(schema)
  return types.length > 0 && !types.some((type) => (type === 'integer' ? 'number' : type) === wanted)
}
