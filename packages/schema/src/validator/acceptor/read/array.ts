import { typesOf } from '../../../document/json-types.ts'
import { childLocation, type SchemaLocation } from '../../../document/location.ts'
import { isSchemaObject } from '../../../guards.ts'
import type { TestNode, Use } from '../ir.ts'
import { acceptsAnything } from './keywords.ts'
import type { Reader } from './reader.ts'
import { Unsupported } from './unsupported.ts'

/** Reads the keywords about arrays. */
export function readArray(
  reader: Reader,
  location: SchemaLocation,
  schema: Record<string, unknown>,
  outer: Use,
): TestNode[] {
  const { items, additionalItems, contains, uniqueItems } = schema
  const seesAll = (contains !== undefined && !acceptsAnything(contains)) || uniqueItems === true
  const use = seesAll && outer === 'edit' ? 'observe' : outer
  const tests = readLength(schema)
  const each = (keyword: string, start: number): void => {
    const item = childLocation(location, [keyword])
    if (!acceptsAnything(item.schema)) tests.push({ kind: 'items', start, node: reader.read(item, use) })
  }
  if (Array.isArray(items)) {
    if (additionalItems === false) tests.push({ kind: 'length', minimum: undefined, maximum: items.length })
    else if (additionalItems !== undefined) each('additionalItems', items.length)
    items.forEach((item: unknown, index) => {
      if (isSchemaObject(item) && item['default'] !== undefined) throw new Unsupported('default in a tuple')
      if (acceptsAnything(item)) return
      tests.push({
        kind: 'item',
        index,
        node: reader.read(childLocation(location, ['items', index]), use),
      })
    })
  } else if (items !== undefined) each('items', 0)
  if (contains !== undefined) tests.push(readContains(reader, childLocation(location, ['contains']), use))
  if (uniqueItems === true) tests.push({ kind: 'unique', ofScalars: holdScalars(items) })
  return tests
}

function readLength({ minItems, maxItems }: Record<string, unknown>): TestNode[] {
  const minimum = typeof minItems === 'number' ? minItems : undefined
  const maximum = typeof maxItems === 'number' ? maxItems : undefined
  return minimum === undefined && maximum === undefined ? [] : [{ kind: 'length', minimum, maximum }]
}

function readContains(reader: Reader, location: SchemaLocation, use: Use): TestNode {
  if (acceptsAnything(location.schema)) return { kind: 'length', minimum: 1, maximum: undefined }
  // For an empty list Ajv may keep an earlier result, which changes the outcome of a union.
  if (!reader.policy.unions || use === 'union') throw new Unsupported('contains')
  return { kind: 'contains', node: reader.read(location, 'union') }
}

function holdScalars(items: unknown): boolean {
  const types = isSchemaObject(items) ? typesOf(items) : []
  return types.length > 0 && !types.includes('object') && !types.includes('array')
}
