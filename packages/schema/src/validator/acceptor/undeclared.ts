import { code, join, type Code } from '../../codegen/code.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import { loopBlock, slotAt, type Emission, type Block, type Target } from './context.ts'
import { acceptsAnything } from './keywords.ts'
import { patternOf } from './scalars.ts'
import type { ObjectRules } from './object-rules.ts'

/** An expression that is true when no declaration covers the key. */
function undeclared({ properties, patterns }: ObjectRules, key: Code, { writer }: Block): Code {
  const tests: Code[] =
    properties.length <= 8
      ? properties.map((name) => code`${key} !== ${name}`)
      : [code`!${writer.bind({ kind: 'set', items: properties }, 'declared')}.has(${key})`]
  for (const pattern of patterns)
    tests.push(code`!${writer.bind({ kind: 'regexp', value: patternOf(pattern) }, 'pattern')}.test(${key})`)
  return tests.length === 0 ? code`true` : join(tests, code` && `)
}

/** Writes the treatment of undeclared properties, in a loop over the keys. */
export function emitOthers(
  emission: Emission,
  location: SchemaLocation,
  rules: ObjectRules,
  target: Target,
  block: Block,
): void {
  const { writer } = block
  if (rules.others === 'ignore') return
  const key = writer.unique('key')
  writer.block(code`for (var ${key} in ${target.value})`, () => {
    writer.block(code`if (${undeclared(rules, key, block)})`, () => {
      if (rules.others === 'schema') {
        emitEntry(emission, childLocation(location, ['additionalProperties']), target.value, key, block)
      } else if (rules.others === 'fail') {
        writer.line(block.reject)
      } else if (block.mutable) {
        emission.logged = true
        writer.line(code`${emission.log}.push(${target.value}, ${key}, ${writer.use('DELETED')})`)
      } else {
        writer.line(block.defer)
      }
    })
  })
}

/**
 * As {@link emitOthers}, but counts the keys first, and loops only when there are more than the declared ones.
 */
export function emitOthersIfCountDiffers(
  emission: Emission,
  rules: ObjectRules,
  { value }: Target,
  block: Block,
  present: Code,
): void {
  const { writer, edits } = block
  const key = writer.unique('key')
  const extras = writer.unique('extras')
  const removal = rules.others === 'remove' && block.mutable
  writer.line(code`for (var ${key} in ${value}) ${present}--`)
  // Inherited properties would change the count, so it is used for plain objects only.
  writer.line(code`var ${extras} = ${present} !== 0 || ${value}.constructor !== Object`)
  const loop = (statement: Code): Code =>
    code`if (${extras}) for (var ${key} in ${value}) { if (${undeclared(rules, key, block)}) { ${statement} } }`
  if (removal && edits !== undefined) {
    writer.line(code`if (${extras}) ${edits.changed} = true`)
    edits.statements.push(loop(code`delete ${value}[${key}]`))
    return
  }
  if (removal) emission.logged = true
  const statement = removal
    ? code`${emission.log}.push(${value}, ${key}, ${writer.use('DELETED')})`
    : rules.others === 'remove'
      ? block.defer
      : block.reject
  writer.line(loop(statement))
}

/** Checks `object[key]`, in a loop over keys. */
function emitEntry(
  emission: Emission,
  location: SchemaLocation,
  object: Code,
  key: Code,
  outer: Block,
): void {
  const block = loopBlock(outer)
  const item = block.writer.unique('v')
  const slot = slotAt(object, key)
  block.writer.line(code`var ${item} = ${slot.access}`)
  emission.schema(location, { value: item, slot }, block)
}

/** Writes the checks of the properties whose name matches a pattern. */
export function emitPattern(
  emission: Emission,
  location: SchemaLocation,
  pattern: string,
  { value }: Target,
  block: Block,
): void {
  const child = childLocation(location, ['patternProperties', pattern])
  const regexp = block.writer.bind({ kind: 'regexp', value: patternOf(pattern) }, 'pattern')
  if (acceptsAnything(child.schema)) return
  const key = block.writer.unique('key')
  block.writer.block(code`for (var ${key} in ${value})`, () => {
    block.writer.block(code`if (${regexp}.test(${key}))`, () => emitEntry(emission, child, value, key, block))
  })
}
