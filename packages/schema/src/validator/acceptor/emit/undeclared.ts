import { code, join, type Code } from '../../../codegen/code.ts'
import type { CheckNode, ObjectTest, OthersTest, UndeclaredNode } from '../ir.ts'
import { loopBlock, slotAt, type Block, type Emission, type Target } from './block.ts'

/** Up to this number of names are compared one by one. */
const FEW_NAMES = 8

/** What tells declared properties from others. */
type Declarations = Pick<UndeclaredNode, 'declared' | 'patterns'>

/** An expression that is true when no declaration covers the key. */
function undeclared({ declared, patterns }: Declarations, key: Code, { writer }: Block): Code {
  const tests: Code[] =
    declared.length <= FEW_NAMES
      ? declared.map((name) => code`${key} !== ${name}`)
      : [code`!${writer.bind({ kind: 'set', items: declared }, 'declared')}.has(${key})`]
  for (const pattern of patterns)
    tests.push(code`!${writer.bind({ kind: 'regexp', value: pattern }, 'pattern')}.test(${key})`)
  return tests.length === 0 ? code`true` : join(tests, code` && `)
}

/** Writes the treatment of undeclared properties, in a loop over the keys. */
export function emitOthers(emission: Emission, node: UndeclaredNode, { value }: Target, block: Block): void {
  const { writer } = block
  const key = writer.unique('key')
  writer.block(code`for (var ${key} in ${value})`, () => {
    writer.line(code`if (${undeclared(node, key, block)}) { ${effectOn(emission, node, value, key, block)} }`)
  })
}

/** Writes the checks of undeclared properties. */
export function emitAdditional(
  emission: Emission,
  test: Extract<OthersTest, { kind: 'additional' }>,
  { value }: Target,
  block: Block,
): void {
  const { writer } = block
  const key = writer.unique('key')
  writer.block(code`for (var ${key} in ${value})`, () => {
    writer.block(code`if (${undeclared(test, key, block)})`, () => {
      emitEntry(emission, test.node, value, key, block)
    })
  })
}

/** As {@link emitOthers}, but keys are counted, and looked at only when there are more than those just read. */
export function emitOthersIfCountDiffers(
  emission: Emission,
  node: UndeclaredNode,
  { value }: Target,
  block: Block,
  present: Code,
): void {
  const { writer, edits } = block
  const key = writer.unique('key')
  const extras = writer.unique('extras')
  writer.line(code`for (var ${key} in ${value}) ${present}--`)
  // Inherited properties would change the count, so it is used for plain objects only.
  writer.line(code`var ${extras} = ${present} !== 0 || ${value}.constructor !== Object`)
  const loop = (statement: Code): Code =>
    code`if (${extras}) for (var ${key} in ${value}) { if (${undeclared(node, key, block)}) { ${statement} } }`
  if (node.effect === 'remove' && edits !== undefined) {
    writer.line(code`if (${extras}) ${edits.changed} = true`)
    edits.statements.push(loop(code`delete ${value}[${key}]`))
    return
  }
  writer.line(loop(effectOn(emission, node, value, key, block)))
}

function effectOn(
  emission: Emission,
  { effect }: UndeclaredNode,
  object: Code,
  key: Code,
  { writer, reject, defer }: Block,
): Code {
  if (effect === 'reject') return reject
  if (effect === 'defer') return defer
  emission.logged = true
  return code`${emission.log}.push(${object}, ${key}, ${writer.use('DELETED')})`
}

/** Checks `object[key]`, in a loop over keys. */
function emitEntry(emission: Emission, node: CheckNode, object: Code, key: Code, outer: Block): void {
  const block = loopBlock(outer)
  const value = block.writer.unique('v')
  const slot = slotAt(object, key)
  block.writer.line(code`var ${value} = ${slot.access}`)
  emission.check(node, { value, slot }, block)
}

/** Writes the checks of the properties whose name matches a pattern. */
export function emitPattern(
  emission: Emission,
  { pattern, node }: Extract<ObjectTest, { kind: 'pattern' }>,
  { value }: Target,
  block: Block,
): void {
  const regexp = block.writer.bind({ kind: 'regexp', value: pattern }, 'pattern')
  const key = block.writer.unique('key')
  block.writer.block(code`for (var ${key} in ${value})`, () => {
    block.writer.block(code`if (${regexp}.test(${key}))`, () => emitEntry(emission, node, value, key, block))
  })
}
