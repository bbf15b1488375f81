import type { JsonType } from '../../../document/json-types.ts'
import type { CheckNode, PropertiesTest, PropertyNode } from '../ir.ts'
import { othersStep, type Data } from './undeclared.ts'
import { FITS, REJECTED, type Check, type Step, type Verdict } from './verdict.ts'

/** Types whose test is made here, without a call, before the check of a property. */
type QuickType = Extract<JsonType, 'string' | 'integer' | 'boolean'> | undefined

/** A declared property as closures see it. */
interface Property {
  readonly name: string
  readonly check: Check
  /** Values of this type fit: the schema asks for nothing else. */
  readonly quick: QuickType
  readonly isRequired: boolean
  /** Makes the default. */
  readonly fill: (() => unknown) | undefined
}

/** The checks of declared properties. */
export function propertiesStep(test: PropertiesTest, checkOf: (node: CheckNode) => Check): Step<Data> {
  const properties = test.properties.map((node) => propertyOf(node, checkOf(node.node)))
  if (test.closed === undefined) {
    return (object, log) => {
      for (const property of properties) {
        const value = object[property.name]
        const verdict =
          value === undefined ? absent(property, object, log) : checked(property, value, object, log)
        if (verdict !== FITS) return verdict
      }
      return FITS
    }
  }
  const others = othersStep(test.closed)
  return (object, log) => {
    let present = 0
    for (const property of properties) {
      const value = object[property.name]
      if (value !== undefined) present++
      const verdict =
        value === undefined ? absent(property, object, log) : checked(property, value, object, log)
      if (verdict !== FITS) return verdict
    }
    for (const _ in object) present--
    // Inherited properties would change the count, so it is used for plain objects only.
    return present !== 0 || object.constructor !== Object ? others(object, log) : FITS
  }
}

function propertyOf({ name, node, presence, fallback }: PropertyNode, check: Check): Property {
  const fill = presence === 'filled' ? maker(fallback) : undefined
  return { name, check, quick: quickOf(node), isRequired: presence === 'required', fill }
}

function quickOf({ type, tests }: CheckNode): QuickType {
  const only = type?.types.length === 1 && tests.length === 0 ? type.types[0] : undefined
  return only === 'string' || only === 'integer' || only === 'boolean' ? only : undefined
}

function checked({ quick, check, name }: Property, value: unknown, object: Data, log: unknown[]): Verdict {
  switch (typeof value) {
    case 'string':
      return quick === 'string' ? FITS : check(value, log, object, name)
    case 'number':
      return quick === 'integer' && Number.isInteger(value) ? FITS : check(value, log, object, name)
    case 'boolean':
      return quick === 'boolean' ? FITS : check(value, log, object, name)
    default:
      return check(value, log, object, name)
  }
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
