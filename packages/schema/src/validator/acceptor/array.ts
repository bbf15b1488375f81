import { code, type Code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import {
  loopBlock,
  withoutEdits,
  slotAt,
  Unsupported,
  type Emission,
  type Block,
  type Target,
  writeBack,
} from './context.ts'
import { acceptsAnything } from './keywords.ts'
import { emitTrial } from './union.ts'
import { typesOf } from '../../document/json-types.ts'

/** Writes the keywords of arrays. */
export function emitArray(emission: Emission, location: SchemaLocation, target: Target, outer: Block): void {
  const { schema } = location
  if (!isSchemaObject(schema)) return
  const { minItems, maxItems, items, additionalItems, contains, uniqueItems } = schema
  const seesAll = (contains !== undefined && !acceptsAnything(contains)) || uniqueItems === true
  const block = seesAll ? withoutEdits(outer) : outer
  const { writer, reject } = block
  const { value } = target
  if (typeof maxItems === 'number') writer.line(code`if (${value}.length > ${maxItems}) ${reject}`)
  if (typeof minItems === 'number') writer.line(code`if (${value}.length < ${minItems}) ${reject}`)
  if (Array.isArray(items)) {
    emitExtraItems(emission, location, additionalItems, items.length, target, block)
    items.forEach((item, index) => emitTupleItem(emission, location, item, index, target, block))
  } else if (items !== undefined) {
    emitItems(emission, childLocation(location, ['items']), code`0`, target, block)
  }
  if (contains !== undefined) emitContains(emission, childLocation(location, ['contains']), target, block)
  if (uniqueItems === true) emitUnique(items, target, block)
}

function emitItems(
  emission: Emission,
  item: SchemaLocation,
  start: Code,
  { value }: Target,
  outer: Block,
): void {
  if (acceptsAnything(item.schema)) return
  const block = loopBlock(outer)
  const { writer } = block
  const index = writer.unique('i')
  writer.block(code`for (var ${index} = ${start}; ${index} < ${value}.length; ${index}++)`, () => {
    emitItem(emission, item, index, value, block)
  })
}

function emitItem(emission: Emission, item: SchemaLocation, key: Code, array: Code, block: Block): void {
  const { writer } = block
  const value = writer.unique('v')
  const slot = slotAt(array, key)
  const entry = { value, slot }
  writer.line(code`var ${value} = ${slot.access}`)
  if (emission.schema(item, entry, block) && block.mutable) writeBack(block, entry)
}

function emitTupleItem(
  emission: Emission,
  location: SchemaLocation,
  schema: unknown,
  index: number,
  { value }: Target,
  block: Block,
): void {
  if (isSchemaObject(schema) && schema['default'] !== undefined) throw new Unsupported('default in a tuple')
  if (acceptsAnything(schema)) return
  block.writer.block(code`if (${value}.length > ${index})`, () => {
    emitItem(emission, childLocation(location, ['items', index]), code`${index}`, value, block)
  })
}

function emitExtraItems(
  emission: Emission,
  location: SchemaLocation,
  additional: unknown,
  count: number,
  target: Target,
  block: Block,
): void {
  if (additional === undefined || acceptsAnything(additional)) return
  if (additional === false) {
    block.writer.line(code`if (${target.value}.length > ${count}) ${block.reject}`)
    return
  }
  emitItems(emission, childLocation(location, ['additionalItems']), code`${count}`, target, block)
}

function emitContains(emission: Emission, location: SchemaLocation, { value }: Target, block: Block): void {
  const { writer, reject } = block
  if (acceptsAnything(location.schema)) {
    writer.line(code`if (${value}.length < 1) ${reject}`)
    return
  }
  // For an empty list Ajv may keep an earlier result, which changes the outcome of a union.
  if (!emission.policy.unions || block.inUnion) throw new Unsupported('contains')
  const found = writer.unique('found')
  const index = writer.unique('i')
  const entry = writer.unique('v')
  writer.line(code`var ${found} = false`)
  writer.block(code`for (var ${index} = 0; ${index} < ${value}.length && !${found}; ${index}++)`, () => {
    writer.line(code`var ${entry} = ${value}[${index}]`)
    emitTrial(emission, location, { value: entry }, loopBlock(block), code`${found} = true`)
  })
  writer.line(code`if (!${found}) ${reject}`)
}

function emitUnique(items: unknown, { value }: Target, { writer, defer }: Block): void {
  const types = isSchemaObject(items) ? typesOf(items) : []
  const scalars = types.length > 0 && !types.includes('object') && !types.includes('array')
  const test = writer.use(scalars ? 'allScalarsDistinct' : 'allDistinct')
  writer.line(code`if (!${test}(${value})) ${defer}`)
}
