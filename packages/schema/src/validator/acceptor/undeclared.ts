import { code, join, type Code } from '../../codegen/code.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import { loopFrame, slotAt, type Emission, type Frame, type Target } from './context.ts'
import { acceptsAnything } from './keywords.ts'
import { patternOf } from './scalars.ts'
import type { ObjectRules } from './object-rules.ts'

/** An expression that is true when no declaration covers the key. */
function undeclared({ properties, patterns }: ObjectRules, key: Code, { writer }: Frame): Code {
  const tests: Code[] =
    properties.length <= 8
      ? properties.map((name) => code`${key} !== ${name}`)
      : [code`!${writer.bind({ kind: 'set', items: properties }, 'declared')}.has(${key})`]
  for (const pattern of patterns)
    tests.push(code`!${writer.bind({ kind: 'regexp', value: patternOf(pattern) }, 'pattern')}.test(${key})`)
  return tests.length === 0 ? code`true` : join(tests, code` && `)
}

/** Writes what becomes of undeclared properties, in a loop over the keys. */
export function emitOthers(
  emission: Emission,
  place: SchemaLocation,
  rules: ObjectRules,
  target: Target,
  frame: Frame,
): void {
  const { writer } = frame
  if (rules.others === 'ignore') return
  const key = writer.unique('key')
  writer.block(code`for (var ${key} in ${target.value})`, () => {
    writer.block(code`if (${undeclared(rules, key, frame)})`, () => {
      if (rules.others === 'schema') {
        emitEntry(emission, childLocation(place, ['additionalProperties']), target.value, key, frame)
      } else if (rules.others === 'fail') {
        writer.line(frame.fail)
      } else if (frame.mutable) {
        emission.logged = true
        writer.line(code`${emission.log}.push(${target.value}, ${key}, ${writer.use('REMOVED')})`)
      } else {
        writer.line(frame.giveUp)
      }
    })
  })
}

/** The same, but keys are counted, and looked at one by one only when there are more than those just read. */
export function emitOthersIfCountDiffers(
  emission: Emission,
  rules: ObjectRules,
  { value }: Target,
  frame: Frame,
  present: Code,
): void {
  const { writer, notes } = frame
  const key = writer.unique('key')
  const extras = writer.unique('extras')
  const removal = rules.others === 'remove' && frame.mutable
  writer.line(code`for (var ${key} in ${value}) ${present}--`)
  // Inherited properties would upset the count: it is trusted for plain objects only.
  writer.line(code`var ${extras} = ${present} !== 0 || ${value}.constructor !== Object`)
  const loop = (statement: Code): Code =>
    code`if (${extras}) for (var ${key} in ${value}) { if (${undeclared(rules, key, frame)}) { ${statement} } }`
  if (removal && notes !== undefined) {
    writer.line(code`if (${extras}) ${notes.changed} = true`)
    notes.statements.push(loop(code`delete ${value}[${key}]`))
    return
  }
  if (removal) emission.logged = true
  const statement = removal
    ? code`${emission.log}.push(${value}, ${key}, ${writer.use('REMOVED')})`
    : rules.others === 'remove'
      ? frame.giveUp
      : frame.fail
  writer.line(loop(statement))
}

/** Checks `object[key]`, in a loop over keys. */
function emitEntry(emission: Emission, place: SchemaLocation, object: Code, key: Code, outer: Frame): void {
  const frame = loopFrame(outer)
  const item = frame.writer.unique('v')
  const slot = slotAt(object, key)
  frame.writer.line(code`var ${item} = ${slot.access}`)
  emission.schema(place, { value: item, slot }, frame)
}

/** Writes the checks of the properties whose name matches a pattern. */
export function emitPattern(
  emission: Emission,
  place: SchemaLocation,
  pattern: string,
  { value }: Target,
  frame: Frame,
): void {
  const child = childLocation(place, ['patternProperties', pattern])
  const regexp = frame.writer.bind({ kind: 'regexp', value: patternOf(pattern) }, 'pattern')
  if (acceptsAnything(child.schema)) return
  const key = frame.writer.unique('key')
  frame.writer.block(code`for (var ${key} in ${value})`, () => {
    frame.writer.block(code`if (${regexp}.test(${key}))`, () => emitEntry(emission, child, value, key, frame))
  })
}
