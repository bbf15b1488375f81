import { code, type Code } from '../../../codegen/code.ts'
import type { ArrayTest, CheckNode } from '../ir.ts'
import { wrappingOf, type Wrapping } from '../wrapping.ts'
import { loopBlock, slotAt, writeBack, type Block, type Emission, type Target } from './block.ts'
import { emitTrial } from './union.ts'

/** Writes a test of arrays. */
export function emitArrayTest(emission: Emission, test: ArrayTest, target: Target, block: Block): void {
  switch (test.kind) {
    case 'length':
      return emitLength(test, target, block)
    case 'items':
      return emitItems(emission, test, target, block)
    case 'item':
      return emitItem(emission, test, target, block)
    case 'contains':
      return emitContains(emission, test, target, block)
    case 'unique':
      return emitUnique(test.ofScalars, target, block)
  }
}

/** Writes how many items an array may have. */
function emitLength(
  { minimum, maximum }: Extract<ArrayTest, { kind: 'length' }>,
  { value }: Target,
  { writer, reject }: Block,
): void {
  if (maximum !== undefined) writer.line(code`if (${value}.length > ${maximum}) ${reject}`)
  if (minimum !== undefined) writer.line(code`if (${value}.length < ${minimum}) ${reject}`)
}

/** Writes the check of all items from a position on. */
function emitItems(
  emission: Emission,
  { start, node }: Extract<ArrayTest, { kind: 'items' }>,
  { value }: Target,
  outer: Block,
): void {
  const block = loopBlock(outer)
  const { writer } = block
  const index = writer.unique('i')
  const wrapping = wrappingOf(node)
  const run = wrapping && writer.unique('run')
  if (run !== undefined) writer.line(code`var ${run} = undefined`)
  writer.block(code`for (var ${index} = ${start}; ${index} < ${value}.length; ${index}++)`, () => {
    if (wrapping === undefined || run === undefined) emitEntry(emission, node, index, value, block)
    else emitWrapped(emission, { node, wrapping, run }, index, value, block)
  })
}

/** Writes the check of an item that is a list; a scalar becomes what it would be in several steps. */
function emitWrapped(
  emission: Emission,
  { node, wrapping, run }: { readonly node: CheckNode; readonly wrapping: Wrapping; readonly run: Code },
  index: Code,
  array: Code,
  block: Block,
): void {
  const { writer } = block
  const value = writer.unique('v')
  const note = writer.use('noteItem')
  emission.logged = true
  writer.line(code`var ${value} = ${array}[${index}]`)
  writer.block(code`if (typeof ${value} === 'object' && ${value} !== null)`, () => {
    emission.check(node, { value, slot: slotAt(array, index) }, block)
  })
  writer.block(code`else`, () => {
    emission.check(wrapping.node, { value }, block)
    writer.line(
      code`${run} = ${note}(${emission.log}, ${run}, ${array}, ${index}, ${value}, ${wrapping.levels})`,
    )
  })
}

/** Writes the check of the item at one position. */
function emitItem(
  emission: Emission,
  { index, node }: Extract<ArrayTest, { kind: 'item' }>,
  { value }: Target,
  block: Block,
): void {
  block.writer.block(code`if (${value}.length > ${index})`, () => {
    emitEntry(emission, node, code`${index}`, value, block)
  })
}

function emitEntry(emission: Emission, node: CheckNode, key: Code, array: Code, block: Block): void {
  const { writer } = block
  const value = writer.unique('v')
  const slot = slotAt(array, key)
  const entry = { value, slot }
  writer.line(code`var ${value} = ${slot.access}`)
  if (emission.check(node, entry, block)) writeBack(block, entry)
}

/** Writes the search for items that match; it ends as soon as the number decides. */
function emitContains(
  emission: Emission,
  { node, minimum, maximum }: Extract<ArrayTest, { kind: 'contains' }>,
  { value }: Target,
  block: Block,
): void {
  const { writer, reject } = block
  const count = writer.unique('count')
  const index = writer.unique('i')
  const entry = writer.unique('v')
  const limit = maximum === undefined ? minimum : maximum + 1
  writer.line(code`var ${count} = 0`)
  writer.block(
    code`for (var ${index} = 0; ${index} < ${value}.length && ${count} < ${limit}; ${index}++)`,
    () => {
      writer.line(code`var ${entry} = ${value}[${index}]`)
      emitTrial(emission, node, { value: entry }, loopBlock(block), code`${count}++`)
    },
  )
  if (minimum > 0) writer.line(code`if (${count} < ${minimum}) ${reject}`)
  if (maximum !== undefined) writer.line(code`if (${count} > ${maximum}) ${reject}`)
}

/** Writes the test that no two items are equal. */
function emitUnique(ofScalars: boolean, { value }: Target, { writer, defer }: Block): void {
  const test = writer.use(ofScalars ? 'allScalarsDistinct' : 'allDistinct')
  writer.line(code`if (!${test}(${value})) ${defer}`)
}
