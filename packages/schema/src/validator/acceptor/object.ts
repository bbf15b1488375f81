import { code, join, jsonLiteral, property, type Code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import {
  recordEdit,
  withoutEdits,
  slotOf,
  Unsupported,
  type Emission,
  type Block,
  type Target,
  writeBack,
} from './context.ts'
import { acceptsAnything, hasAny } from './keywords.ts'
import { emitOthers, emitOthersIfCountDiffers, emitPattern } from './undeclared.ts'
import { readRules, type ObjectRules } from './object-rules.ts'

/** The object schema that is being written. */
interface ObjectContext {
  readonly emission: Emission
  readonly location: SchemaLocation
  readonly rules: ObjectRules
  readonly target: Target
  readonly block: Block
}

const CLOSE = code`}`

/** Keywords that apply to the whole object, after defaults and removals. */
const WHOLE_OBJECT = ['propertyNames', 'dependencies', 'patternProperties']

/** Writes the keywords of objects. */
export function emitObject(emission: Emission, location: SchemaLocation, target: Target, outer: Block): void {
  const { schema } = location
  if (!isSchemaObject(schema)) return
  const rules = readRules(emission, schema)
  const changes = rules.defaults.size > 0 || rules.others === 'remove'
  const counted = hasAny(schema, ['minProperties', 'maxProperties'])
  const block = hasAny(schema, WHOLE_OBJECT) || (counted && changes) ? withoutEdits(outer) : outer
  if (!block.mutable) emitMissingDefaults(rules, target, block)
  emitCounts(schema, target, block)
  emitRequired(rules, target, block)
  if (schema['propertyNames'] !== undefined) emitNames(emission, location, target, block)
  const closed = rules.others === 'remove' || rules.others === 'fail'
  const countPresent =
    closed &&
    !block.inUnion &&
    rules.patterns.length === 0 &&
    !rules.properties.some((name) => name in Object.prototype)
  if (!countPresent) emitOthers(emission, location, rules, target, block)
  if (schema['dependencies'] !== undefined) emitDependencies(emission, location, target, block)
  const present = countPresent ? block.writer.unique('present') : undefined
  if (present !== undefined) block.writer.line(code`var ${present} = 0`)
  for (const name of rules.properties)
    emitProperty({ emission, location, rules, target, block }, name, present)
  if (present !== undefined) emitOthersIfCountDiffers(emission, rules, target, block, present)
  for (const pattern of rules.patterns) emitPattern(emission, location, pattern, target, block)
}

/** Ajv sets defaults before any other check; where the edit cannot be recorded, only Ajv can decide. */
function emitMissingDefaults({ defaults }: ObjectRules, { value }: Target, { writer, defer }: Block): void {
  for (const name of defaults.keys()) writer.line(code`if (${property(value, name)} === undefined) ${defer}`)
}

function emitCounts(schema: Record<string, unknown>, { value }: Target, { writer, reject }: Block): void {
  const { minProperties, maxProperties } = schema
  if (typeof maxProperties === 'number')
    writer.line(code`if (Object.keys(${value}).length > ${maxProperties}) ${reject}`)
  if (typeof minProperties === 'number')
    writer.line(code`if (Object.keys(${value}).length < ${minProperties}) ${reject}`)
}

function emitRequired(
  { properties, required, defaults }: ObjectRules,
  { value }: Target,
  block: Block,
): void {
  const names = required.filter((name) => {
    if (defaults.has(name)) return false
    // `required` is checked where the property is read, except in a union, where the order matters.
    return block.inUnion || !properties.includes(name)
  })
  if (names.length === 0) return
  // Ajv misses an absent property whose name is the empty string.
  if (block.inUnion && names.includes('')) throw new Unsupported('required')
  const missing = names.map((name) => code`${property(value, name)} === undefined`)
  block.writer.line(code`if (${join(missing, code` || `)}) ${block.reject}`)
}

function emitProperty(context: ObjectContext, name: string, present: Code | undefined): void {
  const { location, rules } = context
  const child = childLocation(location, ['properties', name])
  const fallback = rules.defaults.get(name)
  const required = rules.required.includes(name)
  if (fallback === undefined && !required && present === undefined && acceptsAnything(child.schema)) return
  const { writer } = context.block
  const item = writer.unique('v')
  const slot = slotOf(context.target.value, name)
  writer.line(code`var ${item} = ${slot.access}`)
  if (present !== undefined) writer.line(code`if (${item} !== undefined) ${present}++`)
  emitValue(context, child, { value: item, slot }, fallback, required)
}

/** Writes the value of a property, after its default or the test that it is present. */
function emitValue(
  { emission, block }: ObjectContext,
  child: SchemaLocation,
  entry: Target,
  fallback: unknown,
  required: boolean,
): void {
  const { writer } = block
  const { value } = entry
  const filled = fallback !== undefined && block.mutable
  if (filled) {
    const change = recordEdit(emission, block, entry)
    writer.line(code`if (${value} === undefined) { ${value} = ${jsonLiteral(fallback)}; ${change} }`)
  } else if (required) {
    writer.line(code`if (${value} === undefined) ${block.reject}`)
  }
  const isOptional = fallback === undefined && !required
  if (isOptional) writer.line(code`if (${value} !== undefined) {`)
  const reassigned = emission.schema(child, entry, block) || filled
  if (isOptional) writer.line(CLOSE)
  if (reassigned && block.mutable) writeBack(block, entry)
}

function emitNames(emission: Emission, location: SchemaLocation, { value }: Target, block: Block): void {
  const names = childLocation(location, ['propertyNames'])
  if (acceptsAnything(names.schema)) return
  // For an object without keys Ajv skips later keywords, which changes the outcome of a union.
  if (!emission.policy.unions || block.inUnion) throw new Unsupported('propertyNames')
  const key = block.writer.unique('key')
  block.writer.block(code`for (var ${key} in ${value})`, () => {
    emission.schema(names, { value: key }, { ...withoutEdits(block), inUnion: true })
  })
}

function emitDependencies(emission: Emission, location: SchemaLocation, target: Target, block: Block): void {
  const dependencies = isSchemaObject(location.schema) ? location.schema['dependencies'] : undefined
  if (!isSchemaObject(dependencies)) throw new Unsupported('dependencies')
  const entries = Object.entries(dependencies)
  if (entries.some(([name]) => name === '__proto__')) throw new Unsupported('__proto__')
  for (const [name, needed] of entries) {
    if (!Array.isArray(needed) || needed.length === 0) continue
    if (block.inUnion && needed.includes('')) throw new Unsupported('dependencies')
    const missing = needed.map((other) => code`${property(target.value, String(other))} === undefined`)
    const given = code`${property(target.value, name)} !== undefined`
    block.writer.line(code`if (${given} && (${join(missing, code` || `)})) ${block.reject}`)
  }
  for (const [name, schema] of entries) {
    if (Array.isArray(schema) || acceptsAnything(schema)) continue
    block.writer.block(code`if (${property(target.value, name)} !== undefined)`, () => {
      emission.schema(childLocation(location, ['dependencies', name]), target, block)
    })
  }
}
