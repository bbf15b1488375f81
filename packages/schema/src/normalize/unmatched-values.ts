import { isPlainObject } from '../guards.ts'
import { pointerToken } from '../document/pointer.ts'

/** Keywords that leave it open which type a value has, or in which another schema converts it. */
const SAYS_MORE: readonly string[] = ['type', '$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'if', 'not']
const UNIONS: readonly string[] = ['anyOf', 'oneOf']

/**
 * Finds the values of a request part that can never match: path parameters, queries, headers and cookies arrive as
 * text, and without a `type` nothing converts it, so that `enum: [1, 2]` compares `'1'` with `1`.
 *
 * @param schema - the schema of the part
 * @returns the JSON pointer of each `enum` and `const`
 */
export function findUnmatchedValues(schema: unknown): string[] {
  const found: string[] = []
  visitPart(schema, '', found)
  return found
}

function visitPart(schema: unknown, pointer: string, found: string[]): void {
  if (!isPlainObject(schema)) return
  for (const keyword of ['properties', 'patternProperties']) {
    const map = schema[keyword]
    if (!isPlainObject(map)) continue
    for (const [name, value] of Object.entries(map))
      visitValue(value, `${pointer}/${keyword}/${pointerToken(name)}`, found)
  }
  visitValue(schema['additionalProperties'], `${pointer}/additionalProperties`, found)
  const { allOf } = schema
  if (Array.isArray(allOf))
    for (const [index, one] of allOf.entries()) visitPart(one, `${pointer}/allOf/${index}`, found)
}

/** A list of values has its values in `items`. */
function visitValue(schema: unknown, pointer: string, found: string[]): void {
  if (!isPlainObject(schema)) return
  const at = unmatchedIn(schema, pointer)
  if (at.length > 0) found.push(...at)
  else visitValue(schema['items'], `${pointer}/items`, found)
}

/** Returns the keywords that no text matches; none if the schema admits some text. */
function unmatchedIn(schema: unknown, pointer: string): string[] {
  if (!isPlainObject(schema) || SAYS_MORE.some((keyword) => keyword in schema)) return []
  const { enum: values } = schema
  if (Array.isArray(values) && values.length > 0 && !values.some(isText)) return [`${pointer}/enum`]
  if ('const' in schema && !isText(schema['const'])) return [`${pointer}/const`]
  for (const keyword of UNIONS) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    const all = branches.map((branch, index) => unmatchedIn(branch, `${pointer}/${keyword}/${index}`))
    if (all.length > 0 && all.every((one) => one.length > 0)) return all.flat()
  }
  return []
}

const isText = (value: unknown): boolean => typeof value === 'string'
