import { defineOwn, isObject, isPlainObject } from '../guards.ts'
import { SchemaError } from '../errors.ts'
import { namesOf, SUBSCHEMAS } from '../document/vocabulary.ts'
import { pointerOf, pointerToken } from '../document/pointer.ts'
import { eachSubschema, type Path } from '../document/subschemas.ts'

/**
 * Copies the plain part of a schema: objects and arrays are new, everything else (functions, class instances) is
 * shared. Getters become values, and symbol keys are kept.
 * @param emptied - keywords that get an empty value in the copy
 */
export function cloneSchema(
  value: unknown,
  emptied?: KeywordsOf,
  seen: Map<unknown, unknown> = new Map(),
): unknown {
  if (!isObject(value)) return value
  const known = seen.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const copy: unknown[] = []
    seen.set(value, copy)
    for (const item of value) copy.push(cloneSchema(item, emptied, seen))
    return copy
  }
  if (!isPlainObject(value)) return value
  const copy = {}
  seen.set(value, copy)
  const own = emptied?.get(value)
  for (const key of Reflect.ownKeys(value)) {
    if (!Object.prototype.propertyIsEnumerable.call(value, key)) continue
    const entry: unknown = Reflect.get(value, key)
    const isEmptied = typeof key === 'string' && own?.has(key) === true
    const empty = Array.isArray(entry) ? [] : {}
    defineOwn(copy, key, isEmptied ? empty : cloneSchema(entry, emptied, seen))
  }
  return copy
}

/** Keywords by schema. */
export type KeywordsOf = Map<object, Set<string>>

/** The keywords whose values are compared with data, or become data. */
const READ: ReadonlySet<string> = new Set(['default', ...namesOf(({ role }) => role === 'rule')])

/**
 * Finds values in a schema that contain themselves. Such a value has no JSON and no end.
 * @returns the keywords with such a value that the engine does not read: annotations, and unknown ones
 * @throws {@link SchemaError} `SCHEMA_INVALID` for other keywords, and for schemas; a `$ref` can express the same
 */
export function findCircles(schema: unknown): KeywordsOf {
  const circles: KeywordsOf = new Map()
  walk(schema, '', new Map(), circles, new Set())
  return circles
}

/** @param above - the schemas around this one, with their pointers */
function walk(
  schema: unknown,
  pointer: string,
  above: Map<object, string>,
  circles: KeywordsOf,
  seen: Set<object>,
): void {
  if (!isPlainObject(schema)) return
  const first = above.get(schema)
  if (first !== undefined) {
    throw new SchemaError({
      code: 'SCHEMA_INVALID',
      pointer,
      reason:
        `this is the same object as the schema ${first === '' ? 'around it' : `at ${first}`}, so the schema has no ` +
        `end; write { $ref: ${JSON.stringify(`#${first}`)} } instead`,
    })
  }
  if (seen.has(schema)) return
  seen.add(schema)
  above.set(schema, pointer)
  for (const [keyword, value] of Object.entries(schema)) {
    if (SUBSCHEMAS.has(keyword) || !isObject(value) || !containsItself(value)) continue
    if (READ.has(keyword)) throw circularValue(keyword, `${pointer}/${pointerToken(keyword)}`)
    circles.set(schema, (circles.get(schema) ?? new Set()).add(keyword))
  }
  const path: Path = []
  eachSubschema(schema, path, (child) => walk(child, pointer + pointerOf(path), above, circles, seen))
  above.delete(schema)
}

function circularValue(keyword: string, pointer: string): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    pointer,
    reason: `the value of "${keyword}" contains itself, which no JSON does; write a value that ends`,
  })
}

/** Does not recurse: a value may be as deep as memory allows. */
function containsItself(value: object): boolean {
  const seen = new Set<unknown>()
  const above = new Set<object>()
  const open: { readonly value: object; readonly entries: unknown[] }[] = []
  const enter = (entered: object): void => {
    seen.add(entered)
    above.add(entered)
    open.push({ value: entered, entries: Object.values(entered) })
  }
  enter(value)
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const entry = last.entries.pop()
    if (isObject(entry)) {
      if (above.has(entry)) return true
      if (!seen.has(entry)) enter(entry)
    } else if (last.entries.length === 0) {
      above.delete(last.value)
      open.pop()
    }
  }
  return false
}
