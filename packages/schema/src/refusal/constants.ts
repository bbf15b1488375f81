import { isObject } from '../guards.ts'
import { canonicalJson, NotJson, plainJson } from '../runtime/canonical.ts'
import { isSameJson } from '../runtime/containers.ts'
import type { TestFactory } from './scalar-test.ts'

type Test = (data: unknown) => boolean

/** Up to this number of objects, comparing a value with each is the cheapest. */
const FEW = 4

/** The keyword `const`. */
const constTest: TestFactory = (node) => {
  const allowedValue = node.schema['const']
  if (allowedValue === undefined) return undefined
  const rule = { keyword: 'const', node } as const
  return {
    fits: (data) => isSameJson(data, allowedValue),
    report: (value, mode, frame) => frame.fail(rule, { allowedValue }, value, mode),
  }
}

/** The keyword `enum`. A value is looked up: a long list costs no more than a short one. */
const enumTest: TestFactory = (node) => {
  const allowedValues = node.schema['enum']
  if (!Array.isArray(allowedValues)) return undefined
  const scalars = new Set(allowedValues.filter((allowed) => !isObject(allowed)))
  const isAllowedObject = objectTest(allowedValues.filter(isObject))
  const rule = { keyword: 'enum', node } as const
  return {
    fits: (data) => (isObject(data) ? isAllowedObject(data) : scalars.has(data)),
    report: (value, mode, frame) => frame.fail(rule, { allowedValues }, value, mode),
  }
}

/** The keywords that compare a value, in Ajv's order. */
export const CONSTANT_TESTS: readonly TestFactory[] = [constTest, enumTest]

function objectTest(allowed: readonly object[]): Test {
  if (allowed.length === 0) return () => false
  if (allowed.length <= FEW) return (data) => allowed.some((object) => isSameJson(data, object))
  const texts = new Set(allowed.map((object) => canonicalJson(object, plainJson)))
  return (data) => isObject(data) && texts.has(textOf(data) ?? '')
}

/** Equal for equal values; undefined for a value that is no JSON. */
function textOf(data: object): string | undefined {
  try {
    return canonicalJson(data, plainJson)
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}
