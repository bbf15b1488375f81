import { isPlainObject } from '../guards.ts'
import { pointerToken } from '../document/pointer.ts'

/** Escapes, names of groups and classes: capital letters in them are no text, or stand beside small ones. */
const NO_TEXT =
  /\\(?:[pu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|.)|\(\?<(?![=!])[^>]*>|\[(?:\\.|[^\]\\])*\]/gi

/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

/**
 * Finds the expressions for names in a schema of headers that have capital letters. Header names are lower case when
 * they are compared, and an expression cannot be lowered, so that these match no name.
 *
 * @returns the JSON pointer of each
 */
export function findCapitalPatterns(schema: unknown): string[] {
  const found: string[] = []
  visit(schema, '', false, found)
  return found
}

/** @param isName - the schema is one of `propertyNames` */
function visit(schema: unknown, pointer: string, isName: boolean, found: string[]): void {
  if (Array.isArray(schema)) {
    for (const [index, entry] of schema.entries()) visit(entry, `${pointer}/${index}`, isName, found)
    return
  }
  if (!isPlainObject(schema)) return
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${pointerToken(keyword)}`
    if (DATA.has(keyword) || keyword === 'properties') continue
    if (isName && keyword === 'pattern' && hasCapital(value)) found.push(at)
    if (keyword !== 'patternProperties') visit(value, at, isName || keyword === 'propertyNames', found)
    else if (isPlainObject(value)) {
      const capital = Object.keys(value).filter(hasCapital)
      found.push(...capital.map((pattern) => `${at}/${pointerToken(pattern)}`))
    }
  }
}

function hasCapital(pattern: unknown): boolean {
  return typeof pattern === 'string' && /[A-Z]/.test(pattern.replaceAll(NO_TEXT, ''))
}
