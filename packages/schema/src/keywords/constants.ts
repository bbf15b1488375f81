import { code, join, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import { isObject, isScalar } from '../guards.ts'
import { cloneSchema } from '../store/clone.ts'
import { canonicalJson, NotJson, plainJson } from '../runtime/canonical.ts'
import { isSameJson } from '../runtime/containers.ts'
import { fitsLeaf, TEST, type Leaf } from '../walk/leaf.ts'
import { assertion, type Keyword } from '../walk/part.ts'

/** Up to this number of objects, comparing a value with each is the cheapest. */
const FEW_OBJECTS = 4
/** Up to this number of literals a loop compares one by one. */
const FEW_IN_LOOPS = 8
/** Up to this number of literals code compares one by one. */
const FEW_IN_CODE = 16

/** The allowed values. They are looked up, so a long list takes no longer than a short one. */
interface Literals {
  /** In the form and order of the schema. */
  readonly shown: unknown
  readonly scalars: ReadonlySet<unknown>
  readonly objects: readonly object[]
  readonly isObjectOf: ((data: object) => boolean) | undefined
}

/** Copies them, because the application may change its schema. */
function literals(shown: unknown, values: readonly unknown[]): Literals {
  const scalars = new Set(values.filter((value) => !isObject(value)))
  const objects = values.filter(isObject)
  return { shown, scalars, objects, isObjectOf: objectTest(objects) }
}

function isOneOf(data: unknown, { scalars, isObjectOf }: Literals): boolean {
  return isObject(data) ? isObjectOf?.(data) === true : scalars.has(data)
}

function literalsCode(value: Code, { scalars, objects }: Literals, writer: CodeWriter): Code {
  const isScalar = scalarsCode(value, scalars, writer)
  if (objects.length === 0) return isScalar
  return code`${isScalar} || ${writer.use('isOneOf')}(${value}, ${writer.bind({ kind: 'literal', value: objects }, 'literals')})`
}

function scalarsCode(value: Code, scalars: ReadonlySet<unknown>, writer: CodeWriter): Code {
  const items = [...scalars].filter(isScalar)
  if (items.length > FEW_IN_CODE) return code`${writer.bind({ kind: 'set', items }, 'allowed')}.has(${value})`
  if (items.length === 0) return code`false`
  return join(
    items.map((item) => code`${value} === ${item}`),
    code` || `,
  )
}

const shared = {
  test: isOneOf,
  code: literalsCode,
  // Constants are seldom objects, so code leaves objects to looks.
  leaves: (value: Code, { isObjectOf }: Literals) =>
    isObjectOf === undefined ? undefined : code`typeof ${value} === 'object' && ${value} !== null`,
} as const

/** The keyword `const`. */
const constant: Keyword = assertion({
  ...shared,
  name: 'const',
  read({ schema }) {
    const value = cloneSchema(schema['const'])
    return literals(value, [value])
  },
  params: ({ shown }) => ({ allowedValue: shown }),
  message: () => 'must be equal to constant',
  narrow: (leaf, value) => narrow(leaf, [value]),
})

/** The keyword `enum`. */
const enumeration: Keyword = assertion({
  ...shared,
  name: 'enum',
  read({ schema }) {
    const values = cloneSchema(schema['enum'])
    return Array.isArray(values) ? literals(values, values) : undefined
  },
  params: ({ shown }) => ({ allowedValues: shown }),
  message: () => 'must be equal to one of the allowed values',
  narrow: (leaf, values) => Array.isArray(values) && narrow(leaf, values),
})

/** The keywords `const` and `enum`. */
export const CONSTANTS: readonly Keyword[] = [constant, enumeration]

/** Keeps the values that match the other keywords of the leaf. */
function narrow(leaf: Leaf, values: readonly unknown[]): boolean {
  if (values.length > FEW_IN_LOOPS || values.some(isObject)) return false
  // The literals of a leaf don't distinguish -0, which is no exact integer, from 0.
  const isExact = leaf.kind === TEST.safeInteger || leaf.kind === TEST.safeIntegerRange
  if (isExact && values.includes(0)) return false
  leaf.values = values.filter((value) => fitsLeaf(leaf.kind, leaf, value))
  leaf.kind = TEST.literals
  return true
}

function objectTest(allowed: readonly object[]): ((data: object) => boolean) | undefined {
  if (allowed.length === 0) return undefined
  if (allowed.length <= FEW_OBJECTS) return (data) => allowed.some((object) => isSameJson(data, object))
  const texts = new Set(allowed.map((object) => canonicalJson(object, plainJson)))
  return (data) => texts.has(textOf(data) ?? '')
}

/** Returns a key that is equal for equal values; undefined for a value that is no JSON. */
function textOf(data: object): string | undefined {
  try {
    return canonicalJson(data, plainJson)
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}
