import { containsLimits } from '../../../document/contains.ts'
import { typesOf } from '../../../document/json-types.ts'
import { childLocation, type SchemaLocation } from '../../../document/location.ts'
import { tupleOf } from '../../../document/tuple.ts'
import { isSchemaObject } from '../../../guards.ts'
import type { TestNode, Use } from '../ir.ts'
import { acceptsAnything } from '../../../document/survey.ts'
import type { Reader } from './reader.ts'
import { Unsupported } from './unsupported.ts'

/** Reads the keywords about arrays. */
export function readArray(
  reader: Reader,
  location: SchemaLocation,
  schema: Record<string, unknown>,
  outer: Use,
): TestNode[] {
  const { contains, uniqueItems } = schema
  const seesAll = (contains !== undefined && !acceptsAnything(contains)) || uniqueItems === true
  const use = seesAll && outer === 'edit' ? 'observe' : outer
  const tests = [...readLength(schema), ...readItems(reader, location, schema, use)]
  if (contains !== undefined) tests.push(...readContains(reader, location, schema, use))
  if (uniqueItems === true) tests.push({ kind: 'unique', ofScalars: holdScalars(schema) })
  return tests
}

/** Reads the schemas of items. Those behind a tuple come first in draft-07, as in Ajv, and last in 2020-12. */
function readItems(
  reader: Reader,
  location: SchemaLocation,
  schema: Record<string, unknown>,
  use: Use,
): TestNode[] {
  const { dialect } = location.document
  const tuple = tupleOf(schema, dialect)
  const byPosition = tuple.schemas.flatMap((item, index): TestNode[] => {
    if (isSchemaObject(item) && item['default'] !== undefined) throw new Unsupported('default in a tuple')
    if (acceptsAnything(item)) return []
    return [{ kind: 'item', index, node: reader.read(childLocation(location, [tuple.keyword, index]), use) }]
  })
  const rest = readRest(reader, childLocation(location, [tuple.rest]), tuple.schemas.length, use)
  return dialect === 'draft-07' ? [...rest, ...byPosition] : [...byPosition, ...rest]
}

function readRest(reader: Reader, rest: SchemaLocation, start: number, use: Use): TestNode[] {
  if (rest.schema === undefined || acceptsAnything(rest.schema)) return []
  if (start > 0 && rest.schema === false) return [{ kind: 'length', minimum: undefined, maximum: start }]
  return [{ kind: 'items', start, node: reader.read(rest, use) }]
}

function readLength({ minItems, maxItems }: Record<string, unknown>): TestNode[] {
  const minimum = typeof minItems === 'number' ? minItems : undefined
  const maximum = typeof maxItems === 'number' ? maxItems : undefined
  return minimum === undefined && maximum === undefined ? [] : [{ kind: 'length', minimum, maximum }]
}

function readContains(
  reader: Reader,
  location: SchemaLocation,
  schema: Record<string, unknown>,
  use: Use,
): TestNode[] {
  const { minimum, maximum } = containsLimits(schema, location.document.dialect)
  const contained = childLocation(location, ['contains'])
  if (minimum === 0 && maximum === undefined) return []
  if (acceptsAnything(contained.schema)) return [{ kind: 'length', minimum, maximum }]
  // For an empty list Ajv may keep an earlier result, which changes the outcome of a union.
  if (!reader.policy.unions || use === 'union') throw new Unsupported('contains')
  return [{ kind: 'contains', node: reader.read(contained, 'union'), minimum, maximum }]
}

function holdScalars({ items, prefixItems }: Record<string, unknown>): boolean {
  if (prefixItems !== undefined) return false
  const types = isSchemaObject(items) ? typesOf(items) : []
  return types.length > 0 && !types.includes('object') && !types.includes('array')
}
