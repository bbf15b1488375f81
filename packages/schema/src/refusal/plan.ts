import { typesOf } from '../document/json-types.ts'
import { rulesOf } from '../document/vocabulary.ts'
import { hasAny } from '../validator/acceptor/read/keywords.ts'
import { createCoercer } from '../runtime/coerce.ts'
import { ARRAY_CHECKS } from './array.ts'
import { itemDefaults, propertyDefaults } from './defaults.ts'
import { FAILED, type Check } from './frame.ts'
import { GENERAL_CHECKS } from './general.ts'
import type { Group, Plan, SchemaNode } from './node.ts'
import { NUMBER_TESTS } from './number.ts'
import { OBJECT_CHECKS } from './object.ts'
import { asCheck } from './scalar-test.ts'
import { STRING_TESTS } from './string.ts'
import { mismatchCheck, testOf, typeCheck } from './types.ts'
import type { Container } from './value.ts'

/** Reads one keyword of a schema; undefined where the schema does not have it, or where it accepts everything. */
export type CheckFactory = (node: SchemaNode) => Check | undefined

type GroupType = 'number' | 'string' | 'array' | 'object'

interface GroupReader {
  readonly type: GroupType
  readonly keywords: readonly string[]
  readonly checks: readonly CheckFactory[]
  readonly defaults?: (node: SchemaNode) => ((data: Container) => void) | undefined
}

/** The groups of keywords, in Ajv's order. */
const GROUPS: readonly GroupReader[] = [
  { type: 'number', keywords: rulesOf('number'), checks: NUMBER_TESTS.map(asCheck) },
  { type: 'string', keywords: rulesOf('string'), checks: STRING_TESTS.map(asCheck) },
  { type: 'array', keywords: rulesOf('array'), checks: ARRAY_CHECKS, defaults: itemDefaults },
  { type: 'object', keywords: rulesOf('object'), checks: OBJECT_CHECKS, defaults: propertyDefaults },
]

/** Reads a schema. */
export function planOf(node: SchemaNode): Plan {
  if (node.location.schema === false) return { type: undefined, general: [neverCheck(node)], groups: [] }
  const { schema } = node
  const { coercion } = node.unit.settings
  const types = typesOf(schema)
  const readers = GROUPS.filter(({ keywords }) => hasAny(schema, keywords))
  // Where the type is that of a group and nothing is coerced, the group looks at the type.
  const late =
    types.length === 1 && createCoercer(types, coercion) === undefined
      ? readers.find(({ type }) => type === types[0])
      : undefined
  const groups = readers.map((reader) => groupOf(reader, node, reader === late))
  return {
    type: types.length > 0 && late === undefined ? typeCheck(node, types) : undefined,
    general: made(GENERAL_CHECKS, node),
    groups,
  }
}

/** @param isTyped - the group reports a value of another kind */
function groupOf({ type, checks, defaults }: GroupReader, node: SchemaNode, isTyped: boolean): Group {
  const holds = testOf(type, node.unit.settings.finiteNumbers)
  const fill = defaults?.(node)
  const keywords = made(checks, node)
  const mismatch = isTyped ? mismatchCheck(node) : undefined
  return {
    enter(value, mode, frame) {
      if (holds(value.data)) {
        if (fill !== undefined && !mode.isTrial) fill(value.object)
        return keywords
      }
      return mismatch?.(value, mode, frame) === FAILED ? undefined : NONE
    },
  }
}

const NONE: readonly Check[] = []

function made(factories: readonly CheckFactory[], node: SchemaNode): Check[] {
  return factories.flatMap((factory) => factory(node) ?? [])
}

/** The check of the schema `false`. */
function neverCheck(node: SchemaNode): Check {
  const rule = { keyword: 'false schema', node } as const
  return (value, mode, frame) => frame.fail(rule, {}, value, mode)
}
