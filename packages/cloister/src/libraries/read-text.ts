import type { ValidateFunction } from '@cloister/schema'
import { instanceKeys } from '@cloister/schema/internal'

import { copyValues, setOwn } from '../copy-values.ts'
import { isRecord, isThenable, recordOf } from '../guards.ts'
import { inexactIssues } from './exact-integers.ts'
import { READS_TEXT } from './conversions.ts'
import { coerces, targetOf, type JsonSchema } from './subschemas.ts'
import type { LibraryResult, LibraryValidator } from './validate.ts'

/*
 * A union says by its JSON Schema which types it takes, but not which of its branches begin with a function, or have an
 * assertion. So a library reads the text of a union first, and only what it refuses is coerced.
 */

/** The properties of a part whose text the library reads first, or all of it. */
export type ReadFirst = ReadonlySet<string> | 'all'

/** Returns what a library reads first; `null` if coercion is certain. */
export function readFirst(schema: JsonSchema): ReadFirst | null {
  const { properties, additionalProperties, ...rest } = schema
  if (isOpen(rest, schema) || (isRecord(additionalProperties) && isOpen(additionalProperties, schema)))
    return 'all'
  const names = Object.entries(recordOf(properties)).flatMap(([name, one]) =>
    isRecord(one) && isOpen(one, schema) ? [name] : [],
  )
  return names.length === 0 ? null : new Set(names)
}

/** Lets a library read text before it is coerced. */
export function withTextRead(
  validate: LibraryValidator,
  coerce: ValidateFunction,
  names: ReadFirst,
): LibraryValidator {
  return (data) => {
    const holder = { value: copyValues(data) }
    const inexact = coerce(holder.value, holder) === true ? null : inexactIssues(coerce.errors)
    if (inexact !== null) return inexact
    const read = withText(holder.value, data, (name) => names === 'all' || names.has(name))
    const again = (result: LibraryResult | false): ReturnType<LibraryValidator> => {
      if (result === false || 'value' in result) return result
      const refused = new Set(result.error.map(({ instancePath }) => instanceKeys(instancePath)[0] ?? ''))
      return validate(withText(holder.value, read, (name) => !refused.has('') && !refused.has(name)))
    }
    const result = validate(read)
    return isThenable(result) ? Promise.resolve(result).then(again) : again(result)
  }
}

/** Returns an object with some of its members as text. */
function withText(coerced: unknown, text: unknown, isText: (name: string) => boolean): unknown {
  if (!isRecord(coerced) || !isRecord(text)) return isText('') ? text : coerced
  const result: Record<string, unknown> = { ...coerced }
  for (const [name, one] of Object.entries(text)) if (isText(name)) setOwn(result, name, one)
  return result
}

/** References and unions below each other; more of them are a circle. */
const MAX_HOPS = 32

/** Whether a value has a union of which more than one branch may take a text. */
function isOpen(schema: JsonSchema, root: JsonSchema, hops: number = MAX_HOPS): boolean {
  if (hops === 0) return false
  const { $ref, properties, additionalProperties, items, allOf } = schema
  const below = (one: unknown): boolean => isRecord(one) && isOpen(one, root, hops - 1)
  for (const branches of [schema['anyOf'], schema['oneOf']]) {
    if (!Array.isArray(branches)) continue
    const values = branches.filter((one) => !isRecord(one) || one['type'] !== 'null')
    const isChoice = values.length > 1 || branches.some((one) => isRecord(one) && READS_TEXT in one)
    if (isChoice && coerces(schema) && !isTagged(values)) return true
    if (values.some(below)) return true
  }
  if (typeof $ref === 'string' && below(targetOf($ref, root))) return true
  if (Array.isArray(allOf) && ((allOf.length > 1 && coerces(schema)) || allOf.some(below))) return true
  const named = isRecord(properties) ? Object.values(properties) : []
  return [...named, additionalProperties, ...[items].flat()].some(below)
}

/** Whether each branch names itself by a text in the same property. */
function isTagged(branches: readonly unknown[]): boolean {
  const [first, ...others] = branches.map(tagsOf)
  return first?.some((name) => others.every((names) => names.includes(name))) === true
}

function tagsOf(branch: unknown): string[] {
  const { properties, required } = recordOf(branch)
  if (!isRecord(properties) || !Array.isArray(required)) return []
  return Object.entries(properties).flatMap(([name, one]) =>
    isRecord(one) && typeof one['const'] === 'string' && required.includes(name) ? [name] : [],
  )
}
