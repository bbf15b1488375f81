import { code, type Code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import {
  loopFrame,
  pureFrame,
  slotAt,
  Unsupported,
  type Emission,
  type Frame,
  type Target,
  writeBack,
} from './context.ts'
import { acceptsAnything } from './keywords.ts'
import { emitTrial } from './union.ts'
import { typesOf } from '../../document/json-types.ts'

/** Writes the keywords that speak about arrays. */
export function emitArray(emission: Emission, place: SchemaLocation, target: Target, outer: Frame): void {
  const { schema } = place
  if (!isSchemaObject(schema)) return
  const { minItems, maxItems, items, additionalItems, contains, uniqueItems } = schema
  const seesAll = (contains !== undefined && !acceptsAnything(contains)) || uniqueItems === true
  const frame = seesAll ? pureFrame(outer) : outer
  const { writer, fail } = frame
  const { value } = target
  if (typeof maxItems === 'number') writer.line(code`if (${value}.length > ${maxItems}) ${fail}`)
  if (typeof minItems === 'number') writer.line(code`if (${value}.length < ${minItems}) ${fail}`)
  if (Array.isArray(items)) {
    emitExtraItems(emission, place, additionalItems, items.length, target, frame)
    items.forEach((item, index) => emitTupleItem(emission, place, item, index, target, frame))
  } else if (items !== undefined) {
    emitItems(emission, childLocation(place, ['items']), code`0`, target, frame)
  }
  if (contains !== undefined) emitContains(emission, childLocation(place, ['contains']), target, frame)
  if (uniqueItems === true) emitUnique(items, target, frame)
}

function emitItems(
  emission: Emission,
  item: SchemaLocation,
  start: Code,
  { value }: Target,
  outer: Frame,
): void {
  if (acceptsAnything(item.schema)) return
  const frame = loopFrame(outer)
  const { writer } = frame
  const index = writer.unique('i')
  writer.block(code`for (var ${index} = ${start}; ${index} < ${value}.length; ${index}++)`, () => {
    emitItem(emission, item, index, value, frame)
  })
}

function emitItem(emission: Emission, item: SchemaLocation, key: Code, array: Code, frame: Frame): void {
  const { writer } = frame
  const value = writer.unique('v')
  const slot = slotAt(array, key)
  const entry = { value, slot }
  writer.line(code`var ${value} = ${slot.access}`)
  if (emission.schema(item, entry, frame) && frame.mutable) writeBack(frame, entry)
}

function emitTupleItem(
  emission: Emission,
  place: SchemaLocation,
  schema: unknown,
  index: number,
  { value }: Target,
  frame: Frame,
): void {
  if (isSchemaObject(schema) && schema['default'] !== undefined) throw new Unsupported('default in a tuple')
  if (acceptsAnything(schema)) return
  frame.writer.block(code`if (${value}.length > ${index})`, () => {
    emitItem(emission, childLocation(place, ['items', index]), code`${index}`, value, frame)
  })
}

function emitExtraItems(
  emission: Emission,
  place: SchemaLocation,
  additional: unknown,
  count: number,
  target: Target,
  frame: Frame,
): void {
  if (additional === undefined || acceptsAnything(additional)) return
  if (additional === false) {
    frame.writer.line(code`if (${target.value}.length > ${count}) ${frame.fail}`)
    return
  }
  emitItems(emission, childLocation(place, ['additionalItems']), code`${count}`, target, frame)
}

function emitContains(emission: Emission, place: SchemaLocation, { value }: Target, frame: Frame): void {
  const { writer, fail } = frame
  if (acceptsAnything(place.schema)) {
    writer.line(code`if (${value}.length < 1) ${fail}`)
    return
  }
  // For an empty list Ajv may remember the verdict on another: in a union that counts.
  if (!emission.policy.unions || frame.composite) throw new Unsupported('contains')
  const found = writer.unique('found')
  const index = writer.unique('i')
  const entry = writer.unique('v')
  writer.line(code`var ${found} = false`)
  writer.block(code`for (var ${index} = 0; ${index} < ${value}.length && !${found}; ${index}++)`, () => {
    writer.line(code`var ${entry} = ${value}[${index}]`)
    emitTrial(emission, place, { value: entry }, loopFrame(frame), code`${found} = true`)
  })
  writer.line(code`if (!${found}) ${fail}`)
}

function emitUnique(items: unknown, { value }: Target, { writer, giveUp }: Frame): void {
  const types = isSchemaObject(items) ? typesOf(items) : []
  const scalars = types.length > 0 && !types.includes('object') && !types.includes('array')
  const test = writer.use(scalars ? 'allScalarsDistinct' : 'allDistinct')
  writer.line(code`if (!${test}(${value})) ${giveUp}`)
}
