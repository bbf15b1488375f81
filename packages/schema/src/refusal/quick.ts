import { typesOf, type JsonType } from '../document/json-types.ts'
import { tupleOf } from '../document/tuple.ts'
import { createCoercer, REFUSED, type Coercer } from '../runtime/coerce.ts'
import { inLists } from '../runtime/item-run.ts'
import { HAS, surveyKeywords } from '../validator/acceptor/read/keywords.ts'
import { CONSTANT_TESTS } from './constants.ts'
import type { Quick, SchemaNode } from './node.ts'
import { NUMBER_TESTS } from './number.ts'
import type { TestFactory } from './scalar-test.ts'
import { STRING_TESTS } from './string.ts'
import { testOf } from './types.ts'
import type { Container } from './value.ts'

/*
 * Most values beside one that is refused are valid scalars, or are coerced to them. Where a schema asks for one type of
 * scalar, or for lists of them, they are seen to be valid before anything is made of them that errors would need.
 */

type Test = (data: unknown) => boolean

const TESTS: Readonly<Record<Exclude<JsonType, 'array' | 'object'>, readonly TestFactory[]>> = {
  string: STRING_TESTS,
  number: NUMBER_TESTS,
  integer: NUMBER_TESTS,
  boolean: [],
  null: [],
}

/** What a schema says at once; nothing where a value may need a walk. */
export function quickOf(node: SchemaNode): Quick {
  const { schema, unit } = node
  const [type, ...others] = typesOf(schema)
  const has = surveyKeywords(schema, node.location.document.dialect)
  const isPlain = schema['$ref'] === undefined && (has & (HAS.inPlace | HAS.unaccepted)) === 0
  if (type === undefined || others.length > 0 || !isPlain || type === 'object') return NOTHING
  if (type === 'array') return (has & HAS.constant) === 0 ? listOf(node) : NOTHING
  const tests = [...CONSTANT_TESTS, ...TESTS[type]].flatMap((factory) => factory(node)?.fits ?? [])
  const accepts = allOf([testOf(type, unit.settings.finiteNumbers), ...tests])
  const coerce = createCoercer([type], unit.settings.coercion)
  return { accepts, coerced: coerce === undefined ? refuse : ifAccepted(coerce, accepts) }
}

const NOTHING: Quick = { accepts: () => false, coerced: refuse }

function refuse(): typeof REFUSED {
  return REFUSED
}

function ifAccepted(coerce: Coercer, accepts: Test): Quick['coerced'] {
  return (data, levels) => {
    const coerced = coerce(data)
    return coerced !== REFUSED && accepts(coerced) ? inLists(coerced, levels) : REFUSED
  }
}

/** What a schema of lists says of scalars, which become lists of one item. */
function listOf(node: SchemaNode): Quick {
  const { contains, uniqueItems, minItems, maxItems } = node.schema
  const { schemas, rest } = tupleOf(node.schema, node.location.document.dialect)
  const admitsOne = Number(minItems ?? 0) <= 1 && Number(maxItems ?? 1) >= 1
  const item = node.unit.settings.coercion === 'array' ? node.below(rest) : undefined
  const isAlike = schemas.length === 0 && contains === undefined && uniqueItems === undefined
  if (!admitsOne || !isAlike || item === undefined) return NOTHING
  return {
    accepts: NOTHING.accepts,
    coerced: (data, levels) =>
      item.accepts(data) ? inLists(data, levels + 1) : item.coerced(data, levels + 1),
  }
}

function isScalar(data: unknown): boolean {
  const type = typeof data
  return type === 'string' || type === 'number' || type === 'boolean' || data === null
}

/** Whether a property or an item is seen at once to fit. Where it is to be coerced it is replaced. */
export function fitsAtOnce(schema: Quick, container: Container, key: string | number): boolean {
  const data = container[key]
  if (schema.accepts(data)) return true
  const coerced = isScalar(data) ? schema.coerced(data, 0) : REFUSED
  if (coerced === REFUSED) return false
  container[key] = coerced
  return true
}

function allOf(tests: readonly Test[]): Test {
  const [first, second, third] = tests
  if (first === undefined) return () => false
  if (second === undefined) return first
  if (third === undefined) return (data) => first(data) && second(data)
  return (data) => tests.every((test) => test(data))
}
