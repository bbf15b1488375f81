import { typesOf, type JsonType } from '../document/json-types.ts'
import { HAS, surveyKeywords } from '../validator/acceptor/read/keywords.ts'
import { CONSTANT_TESTS } from './constants.ts'
import type { SchemaNode } from './node.ts'
import { NUMBER_TESTS } from './number.ts'
import type { TestFactory } from './scalar-test.ts'
import { STRING_TESTS } from './string.ts'
import { testOf } from './types.ts'

/*
 * Most values beside one that is refused are valid scalars. Where a schema asks for one type of scalar, they are seen to
 * be valid before anything is made of them that errors would need.
 */

type Test = (data: unknown) => boolean

const TESTS: Readonly<Record<JsonType, readonly TestFactory[] | undefined>> = {
  string: STRING_TESTS,
  number: NUMBER_TESTS,
  integer: NUMBER_TESTS,
  boolean: [],
  null: [],
  array: undefined,
  object: undefined,
}

/** A test that is true only for values that fit and stay as they are. */
export function quickTest(node: SchemaNode): Test {
  const { schema, unit } = node
  const [type, ...others] = typesOf(schema)
  const factories = type === undefined || others.length > 0 ? undefined : TESTS[type]
  const has = surveyKeywords(schema, node.location.document.dialect)
  const isPlain = schema['$ref'] === undefined && (has & (HAS.inPlace | HAS.unaccepted)) === 0
  if (type === undefined || factories === undefined || !isPlain) return never
  const tests = [...CONSTANT_TESTS, ...factories].flatMap((factory) => factory(node)?.fits ?? [])
  return allOf([testOf(type, unit.settings.finiteNumbers), ...tests])
}

function allOf(tests: readonly Test[]): Test {
  const [first, second, third] = tests
  if (first === undefined) return never
  if (second === undefined) return first
  if (third === undefined) return (data) => first(data) && second(data)
  return (data) => tests.every((test) => test(data))
}

function never(): boolean {
  return false
}
