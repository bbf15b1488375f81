import type { CheckNode, PropertiesTest, PropertyNode } from '../ir.ts'
import { othersStep, type Data } from './undeclared.ts'
import { FITS, REJECTED, type Check, type Step, type Verdict } from './verdict.ts'

/** Types that are tested here, without a call: the schema asks for nothing else. */
const QUICK = { none: 0, string: 1, boolean: 2, integer: 3 } as const

/** A declared property as closures see it. */
interface Property {
  readonly name: string
  readonly check: Check
  readonly quick: (typeof QUICK)[keyof typeof QUICK]
  readonly isRequired: boolean
  /** Makes the default. */
  readonly fill: (() => unknown) | undefined
  /** A bit of its own, for the set of properties that a walk over the keys has met; 0 when there is none left. */
  readonly bit: number
}

const PLAIN: object = Object.prototype
const isEnumerable = Object.prototype.propertyIsEnumerable
/** Bits of a small integer. */
const MAX_BITS = 30

/** The checks of declared properties. */
export function propertiesStep(test: PropertiesTest, checkOf: (node: CheckNode) => Check): Step<Data> {
  const properties: Property[] = []
  for (const node of test.properties) properties.push(propertyOf(node, checkOf(node.node), properties.length))
  const others = test.closed && othersStep(test.closed)
  const each = eachProperty(properties, others)
  return test.isOrdered ? each : eachKey(properties, others, each)
}

/** Reads the properties by name, in the order of the schema. */
function eachProperty(properties: readonly Property[], others: Step<Data> | undefined): Step<Data> {
  return (object, log) => {
    for (const property of properties) {
      const value = object[property.name]
      const verdict =
        value === undefined ? absent(property, object, log) : given(property, value, object, log)
      if (verdict !== FITS) return verdict
    }
    return others === undefined ? FITS : others(object, log)
  }
}

/**
 * Walks over the keys of an object, which costs a third of reading properties by names that differ from call to call.
 * Most objects have their keys in the order of the one before, so that order is remembered.
 */
function eachKey(
  properties: readonly Property[],
  others: Step<Data> | undefined,
  each: Step<Data>,
): Step<Data> {
  let order: Property[] | undefined
  let byName: ReadonlyMap<string, Property> | undefined
  return (object, log) => {
    if (Object.getPrototypeOf(object) !== PLAIN) return each(object, log)
    let met = 0
    let at = 0
    let seen = 0
    let hasOthers = false
    for (const key in object) {
      let property: Property | undefined = (order ?? properties)[at]
      if (property === undefined || property.name !== key) {
        byName ??= new Map(properties.map((entry) => [entry.name, entry]))
        property = byName.get(key)
        if (property === undefined) {
          hasOthers = true
          continue
        }
        order ??= [...properties]
        order[at] = property
      }
      at++
      const value = object[key]
      if (value === undefined) continue
      seen++
      met += property.bit
      const verdict = given(property, value, object, log)
      if (verdict !== FITS) return verdict
    }
    if (seen < properties.length) {
      const verdict = rest(properties, met, object, log)
      if (verdict !== FITS) return verdict
    }
    return hasOthers && others !== undefined ? others(object, log) : FITS
  }
}

/** Properties that no walk over the keys has met: missing, inherited, or not enumerable. */
function rest(properties: readonly Property[], met: number, object: Data, log: unknown[]): Verdict {
  for (const property of properties) {
    if ((met & property.bit) !== 0) continue
    const value = object[property.name]
    if (property.bit === 0 && value !== undefined && isEnumerable.call(object, property.name)) continue
    const verdict = value === undefined ? absent(property, object, log) : given(property, value, object, log)
    if (verdict !== FITS) return verdict
  }
  return FITS
}

function propertyOf({ name, node, presence, fallback }: PropertyNode, check: Check, index: number): Property {
  const fill = presence === 'filled' ? maker(fallback) : undefined
  const bit = index < MAX_BITS ? 1 << index : 0
  return { name, check, quick: quickOf(node), isRequired: presence === 'required', fill, bit }
}

function quickOf({ type, tests }: CheckNode): Property['quick'] {
  switch (type?.types.length === 1 && tests.length === 0 ? type.types[0] : undefined) {
    case 'string':
      return QUICK.string
    case 'boolean':
      return QUICK.boolean
    case 'integer':
      return QUICK.integer
    default:
      return QUICK.none
  }
}

function given(property: Property, value: unknown, object: Data, log: unknown[]): Verdict {
  switch (property.quick) {
    case QUICK.string:
      if (typeof value === 'string') return FITS
      break
    case QUICK.boolean:
      if (typeof value === 'boolean') return FITS
      break
    case QUICK.integer:
      if (Number.isInteger(value)) return FITS
      break
    case QUICK.none:
      break
  }
  return property.check(value, log, object, property.name)
}

/** A property that is missing: filled, refused, or optional. */
function absent({ isRequired, fill, check, name }: Property, object: Data, log: unknown[]): Verdict {
  if (fill === undefined) return isRequired ? REJECTED : FITS
  const made = fill()
  log.push(object, name, made)
  return check(made, log, object, name)
}

/** Makes a value anew each time, so that requests share no object. */
function maker(fallback: unknown): () => unknown {
  if (typeof fallback !== 'object' || fallback === null) return () => fallback
  const text = JSON.stringify(fallback)
  return (): unknown => JSON.parse(text)
}
