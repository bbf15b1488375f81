import { TYPE_TESTS } from '../document/json-types.ts'
import { isObject } from '../guards.ts'
import { canonicalJson, NotJson, plainJson } from '../runtime/canonical.ts'
import { isSameJson } from '../runtime/containers.ts'
import { TEST, type Leaf, type TestKind } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { TestPart, type Keyword } from '../walk/part.ts'

/** Up to this number of objects, comparing a value with each is the cheapest. */
const FEW_OBJECTS = 4
/** Up to this number of literals a loop compares one by one. */
const FEW_LITERALS = 8

/** A list of values, of which a value is one. A value is looked up: a long list costs no more than a short one. */
abstract class ConstantPart<Params extends object> extends TestPart<unknown, Params> {
  readonly #scalars: ReadonlySet<unknown>
  readonly #isAllowedObject: ((data: object) => boolean) | undefined

  constructor(node: SchemaNode, values: readonly unknown[]) {
    super(node)
    this.#scalars = new Set(values.filter((value) => !isObject(value)))
    this.#isAllowedObject = objectTest(values.filter(isObject))
  }

  test(data: unknown): boolean {
    return isObject(data) ? this.#isAllowedObject?.(data) === true : this.#scalars.has(data)
  }
}

class ConstPart extends ConstantPart<{ readonly allowedValue: unknown }> {
  readonly keyword = 'const'

  params() {
    return { allowedValue: this.node.schema['const'] }
  }

  message(): string {
    return 'must be equal to constant'
  }
}

class EnumPart extends ConstantPart<{ readonly allowedValues: unknown }> {
  readonly keyword = 'enum'

  params() {
    return { allowedValues: this.node.schema['enum'] }
  }

  message(): string {
    return 'must be equal to one of the allowed values'
  }
}

/** The keyword `const`. */
export const constant: Keyword = {
  names: ['const'],
  read: (node) => new ConstPart(node, [node.schema['const']]),
  narrow: (leaf, value) => narrowToLiterals(leaf, [value]),
}

/** The keyword `enum`. */
export const enumeration: Keyword = {
  names: ['enum'],
  read(node) {
    const values = node.schema['enum']
    return Array.isArray(values) ? new EnumPart(node, values) : undefined
  },
  narrow: (leaf, values) => Array.isArray(values) && narrowToLiterals(leaf, values),
}

const OF_LEAF: Readonly<Partial<Record<TestKind, (value: unknown) => boolean>>> = {
  [TEST.any]: () => true,
  [TEST.string]: TYPE_TESTS.string,
  [TEST.boolean]: TYPE_TESTS.boolean,
  [TEST.integer]: TYPE_TESTS.integer,
  [TEST.number]: TYPE_TESTS.number,
}

function narrowToLiterals(leaf: Leaf, values: readonly unknown[]): boolean {
  const isRight = OF_LEAF[leaf.kind]
  if (isRight === undefined || values.length > FEW_LITERALS || values.some(isObject)) return false
  leaf.kind = TEST.literals
  leaf.values = values.filter(isRight)
  return true
}

function objectTest(allowed: readonly object[]): ((data: object) => boolean) | undefined {
  if (allowed.length === 0) return undefined
  if (allowed.length <= FEW_OBJECTS) return (data) => allowed.some((object) => isSameJson(data, object))
  const texts = new Set(allowed.map((object) => canonicalJson(object, plainJson)))
  return (data) => texts.has(textOf(data) ?? '')
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
