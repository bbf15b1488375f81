import { code, join, jsonLiteral, property, type Code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import {
  noteChange,
  pureFrame,
  slotOf,
  Unsupported,
  type Emission,
  type Frame,
  type Target,
  writeBack,
} from './context.ts'
import { acceptsAnything, hasAny } from './keywords.ts'
import { emitOthers, emitOthersIfCountDiffers, emitPattern } from './undeclared.ts'
import { readRules, type ObjectRules } from './object-rules.ts'

/** An object schema being written. */
interface ObjectContext {
  readonly emission: Emission
  readonly place: SchemaLocation
  readonly rules: ObjectRules
  readonly target: Target
  readonly frame: Frame
}

const CLOSE = code`}`

/** Keywords that see the object as a whole, after defaults and removals. */
const WHOLE_OBJECT = ['propertyNames', 'dependencies', 'patternProperties']

/** Writes the keywords that speak about objects. */
export function emitObject(emission: Emission, place: SchemaLocation, target: Target, outer: Frame): void {
  const { schema } = place
  if (!isSchemaObject(schema)) return
  const rules = readRules(emission, schema)
  const changes = rules.defaults.size > 0 || rules.others === 'remove'
  const counted = hasAny(schema, ['minProperties', 'maxProperties'])
  const frame = hasAny(schema, WHOLE_OBJECT) || (counted && changes) ? pureFrame(outer) : outer
  if (!frame.mutable) emitMissingDefaults(rules, target, frame)
  emitCounts(schema, target, frame)
  emitRequired(rules, target, frame)
  if (schema['propertyNames'] !== undefined) emitNames(emission, place, target, frame)
  const closed = rules.others === 'remove' || rules.others === 'fail'
  const countPresent =
    closed &&
    !frame.composite &&
    rules.patterns.length === 0 &&
    !rules.properties.some((name) => name in Object.prototype)
  if (!countPresent) emitOthers(emission, place, rules, target, frame)
  if (schema['dependencies'] !== undefined) emitDependencies(emission, place, target, frame)
  const present = countPresent ? frame.writer.unique('present') : undefined
  if (present !== undefined) frame.writer.line(code`var ${present} = 0`)
  for (const name of rules.properties) emitProperty({ emission, place, rules, target, frame }, name, present)
  if (present !== undefined) emitOthersIfCountDiffers(emission, rules, target, frame, present)
  for (const pattern of rules.patterns) emitPattern(emission, place, pattern, target, frame)
}

/** Ajv fills in defaults before it looks at anything else: where that cannot be noted, only Ajv can go on. */
function emitMissingDefaults({ defaults }: ObjectRules, { value }: Target, { writer, giveUp }: Frame): void {
  for (const name of defaults.keys()) writer.line(code`if (${property(value, name)} === undefined) ${giveUp}`)
}

function emitCounts(schema: Record<string, unknown>, { value }: Target, { writer, fail }: Frame): void {
  const { minProperties, maxProperties } = schema
  if (typeof maxProperties === 'number')
    writer.line(code`if (Object.keys(${value}).length > ${maxProperties}) ${fail}`)
  if (typeof minProperties === 'number')
    writer.line(code`if (Object.keys(${value}).length < ${minProperties}) ${fail}`)
}

function emitRequired(
  { properties, required, defaults }: ObjectRules,
  { value }: Target,
  frame: Frame,
): void {
  const names = required.filter((name) => {
    if (defaults.has(name)) return false
    // Checked where the property is read; in a union the order counts.
    return frame.composite || !properties.includes(name)
  })
  if (names.length === 0) return
  // Ajv overlooks a missing property whose name is the empty string.
  if (frame.composite && names.includes('')) throw new Unsupported('required')
  const missing = names.map((name) => code`${property(value, name)} === undefined`)
  frame.writer.line(code`if (${join(missing, code` || `)}) ${frame.fail}`)
}

function emitProperty(context: ObjectContext, name: string, present: Code | undefined): void {
  const { place, rules } = context
  const child = childLocation(place, ['properties', name])
  const fallback = rules.defaults.get(name)
  const required = rules.required.includes(name)
  if (fallback === undefined && !required && present === undefined && acceptsAnything(child.schema)) return
  const { writer } = context.frame
  const item = writer.unique('v')
  const slot = slotOf(context.target.value, name)
  writer.line(code`var ${item} = ${slot.access}`)
  if (present !== undefined) writer.line(code`if (${item} !== undefined) ${present}++`)
  emitValue(context, child, { value: item, slot }, fallback, required)
}

/** The value of a property, after its default or the test that it is there. */
function emitValue(
  { emission, frame }: ObjectContext,
  child: SchemaLocation,
  entry: Target,
  fallback: unknown,
  required: boolean,
): void {
  const { writer } = frame
  const { value } = entry
  const filled = fallback !== undefined && frame.mutable
  if (filled) {
    const change = noteChange(emission, frame, entry)
    writer.line(code`if (${value} === undefined) { ${value} = ${jsonLiteral(fallback)}; ${change} }`)
  } else if (required) {
    writer.line(code`if (${value} === undefined) ${frame.fail}`)
  }
  const isOptional = fallback === undefined && !required
  if (isOptional) writer.line(code`if (${value} !== undefined) {`)
  const reassigned = emission.schema(child, entry, frame) || filled
  if (isOptional) writer.line(CLOSE)
  if (reassigned && frame.mutable) writeBack(frame, entry)
}

function emitNames(emission: Emission, place: SchemaLocation, { value }: Target, frame: Frame): void {
  const names = childLocation(place, ['propertyNames'])
  if (acceptsAnything(names.schema)) return
  // For an object without keys Ajv skips what comes after: in a union that changes the verdict.
  if (!emission.policy.unions || frame.composite) throw new Unsupported('propertyNames')
  const key = frame.writer.unique('key')
  frame.writer.block(code`for (var ${key} in ${value})`, () => {
    emission.schema(names, { value: key }, { ...pureFrame(frame), composite: true })
  })
}

function emitDependencies(emission: Emission, place: SchemaLocation, target: Target, frame: Frame): void {
  const dependencies = isSchemaObject(place.schema) ? place.schema['dependencies'] : undefined
  if (!isSchemaObject(dependencies)) throw new Unsupported('dependencies')
  const entries = Object.entries(dependencies)
  if (entries.some(([name]) => name === '__proto__')) throw new Unsupported('__proto__')
  for (const [name, needed] of entries) {
    if (!Array.isArray(needed) || needed.length === 0) continue
    if (frame.composite && needed.includes('')) throw new Unsupported('dependencies')
    const missing = needed.map((other) => code`${property(target.value, String(other))} === undefined`)
    const given = code`${property(target.value, name)} !== undefined`
    frame.writer.line(code`if (${given} && (${join(missing, code` || `)})) ${frame.fail}`)
  }
  for (const [name, schema] of entries) {
    if (Array.isArray(schema) || acceptsAnything(schema)) continue
    frame.writer.block(code`if (${property(target.value, name)} !== undefined)`, () => {
      emission.schema(childLocation(place, ['dependencies', name]), target, frame)
    })
  }
}
