import { DIALECTS, metaSchemaOf, namedDialect, type Dialect } from '../document/dialect.ts'
import { keywordsOf } from '../document/vocabulary.ts'
import { nearestNames } from '../suggest.ts'
import { complaint, type Position } from './complaint.ts'

/* Checks of schemas that are written in another dialect than the one in which they are read. */

const META_SCHEMAS: readonly string[] = DIALECTS.map(metaSchemaOf)

/**
 * Throws if `$schema` does not name a dialect, or names another one than the document has.
 * @param isAny - whether other names are allowed, because they may belong to meta-schemas of the application
 */
export function checkDialect(
  schema: Readonly<Record<string, unknown>>,
  position: Position,
  isAny: boolean = false,
): void {
  const wanted = schema['$schema']
  if (typeof wanted !== 'string' || wanted === '') return
  const named = namedDialect(wanted)
  const { dialect } = position.entry.document
  if (named === dialect || (named === undefined && isAny)) return
  if (named === undefined) {
    const known = META_SCHEMAS.map((name) => `"${name}"`).join(' or ')
    throw complaint(
      position,
      '$schema',
      `names "${wanted}", but Cloister reads ${DIALECTS.join(' and ')}; write ${known}, or leave it out`,
      nearestNames(wanted, META_SCHEMAS),
    )
  }
  throw complaint(
    position,
    '$schema',
    `names ${named} inside of a schema of ${dialect}; share the schema by an "$id" of its own and refer to it, so that each is read by its own "$schema"`,
  )
}

/** What to write in 2020-12 instead of a keyword. */
const REPLACED: Readonly<Record<string, string>> = {
  additionalItems: 'write the items of the tuple in "prefixItems", and those behind it in "items"',
  $recursiveRef: 'write "$dynamicRef"',
  $recursiveAnchor: 'write "$dynamicAnchor"',
}

const LATER: ReadonlySet<string> = new Set(
  keywordsOf('2020-12').flatMap(({ name, dialect }) => (dialect === undefined ? [] : name)),
)

/** Returns what to do about a keyword of another dialect; undefined for a keyword that no dialect has. */
export function foreignKeyword(keyword: string, dialect: Dialect): string | undefined {
  if (dialect === '2020-12') {
    const way = REPLACED[keyword]
    return way && `is no keyword of 2020-12: ${way}`
  }
  if (!LATER.has(keyword)) return undefined
  return `is a keyword of 2020-12, and the schema is read as draft-07; put "$schema": "${metaSchemaOf('2020-12')}" at its root, or set jsonSchemaDialect to '2020-12'`
}
