import { code, join, jsonLiteral, property, type Code } from '../../../codegen/code.ts'
import type { CheckNode, ObjectTest, PropertiesTest, PropertyNode } from '../ir.ts'
import { recordEdit, slotOf, writeBack, type Block, type Emission, type Target } from './block.ts'
import { emitAdditional, emitOthers, emitOthersIfCountDiffers, emitPattern } from './undeclared.ts'

const CLOSE = code`}`
const OR = code` || `

/** Writes a test of objects. */
export function emitObjectTest(emission: Emission, test: ObjectTest, target: Target, block: Block): void {
  switch (test.kind) {
    case 'given':
      return emitGiven(test.names, target, block)
    case 'size':
      return emitSize(test, target, block)
    case 'required':
      return emitRequired(test.names, target, block)
    case 'names':
      return emitNames(emission, test.node, target, block)
    case 'needs':
      return emitNeeds(test, target, block)
    case 'dependent':
      return emitDependent(emission, test, target, block)
    case 'properties':
      return emitProperties(emission, test, target, block)
    case 'others':
      return emitOthers(emission, test.others, target, block)
    case 'additional':
      return emitAdditional(emission, test, target, block)
    case 'pattern':
      return emitPattern(emission, test, target, block)
  }
}

/** Writes the test that properties with a default are there. */
function emitGiven(names: readonly string[], { value }: Target, { writer, defer }: Block): void {
  for (const name of names) writer.line(code`if (${isMissing(value, name)}) ${defer}`)
}

/** Writes how many properties an object may have. */
function emitSize(
  { minimum, maximum }: Extract<ObjectTest, { kind: 'size' }>,
  { value }: Target,
  { writer, reject }: Block,
): void {
  if (maximum !== undefined) writer.line(code`if (Object.keys(${value}).length > ${maximum}) ${reject}`)
  if (minimum !== undefined) writer.line(code`if (Object.keys(${value}).length < ${minimum}) ${reject}`)
}

/** Writes the test that properties are there. */
function emitRequired(names: readonly string[], { value }: Target, { writer, reject }: Block): void {
  writer.line(code`if (${anyMissing(value, names)}) ${reject}`)
}

/** Writes the check of every key. */
function emitNames(emission: Emission, node: CheckNode, { value }: Target, block: Block): void {
  const key = block.writer.unique('key')
  block.writer.block(code`for (var ${key} in ${value})`, () => {
    emission.check(node, { value: key }, block)
  })
}

/** Writes which properties a property needs beside it. */
function emitNeeds(
  { name, needed }: Extract<ObjectTest, { kind: 'needs' }>,
  { value }: Target,
  { writer, reject }: Block,
): void {
  writer.line(code`if (${isGiven(value, name)} && (${anyMissing(value, needed)})) ${reject}`)
}

/** Writes what an object must match when it has a property. */
function emitDependent(
  emission: Emission,
  { name, node }: Extract<ObjectTest, { kind: 'dependent' }>,
  target: Target,
  block: Block,
): void {
  block.writer.block(code`if (${isGiven(target.value, name)})`, () => emission.check(node, target, block))
}

/** Writes the checks of declared properties. */
function emitProperties(
  emission: Emission,
  { properties, closed }: PropertiesTest,
  target: Target,
  block: Block,
): void {
  const { writer } = block
  const present = closed === undefined ? undefined : writer.unique('present')
  if (present !== undefined) writer.line(code`var ${present} = 0`)
  for (const node of properties) {
    const value = writer.unique('v')
    const slot = slotOf(target.value, node.name)
    writer.line(code`var ${value} = ${slot.access}`)
    if (present !== undefined) writer.line(code`if (${value} !== undefined) ${present}++`)
    emitProperty(emission, node, { value, slot }, block)
  }
  if (closed !== undefined && present !== undefined)
    emitOthersIfCountDiffers(emission, closed, target, block, present)
}

/** Writes the value of a property, after its default or the test that it is present. */
function emitProperty(
  emission: Emission,
  { node, presence, fallback }: PropertyNode,
  entry: Target,
  block: Block,
): void {
  const { writer } = block
  const { value } = entry
  if (presence === 'filled') {
    const change = recordEdit(emission, block, entry)
    writer.line(code`if (${value} === undefined) { ${value} = ${jsonLiteral(fallback)}; ${change} }`)
  } else if (presence === 'required') {
    writer.line(code`if (${value} === undefined) ${block.reject}`)
  }
  if (presence === 'optional') writer.line(code`if (${value} !== undefined) {`)
  const reassigned = emission.check(node, entry, block) || presence === 'filled'
  if (presence === 'optional') writer.line(CLOSE)
  if (reassigned) writeBack(block, entry)
}

function isMissing(object: Code, name: string): Code {
  return code`${property(object, name)} === undefined`
}

function isGiven(object: Code, name: string): Code {
  return code`${property(object, name)} !== undefined`
}

function anyMissing(object: Code, names: readonly string[]): Code {
  return join(
    names.map((name) => isMissing(object, name)),
    OR,
  )
}
