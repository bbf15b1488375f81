import { isSchemaObject } from '../../../guards.ts'
import type { CheckNode, PropertiesTest, PropertyNode, TypeNode } from '../ir.ts'
import type { EditLog } from './edit-log.ts'
import { eachKey } from './key-sequence.ts'
import { fits, leafOf, type Leaf } from './leaf.ts'
import { mismatchOf } from './type.ts'
import { othersStep, type Data } from './undeclared.ts'
import { FITS, REJECTED, type Check, type Step, type Verdict } from './verdict.ts'

/** A declared property as closures see it. */
export interface Property {
  readonly name: string
  readonly check: Check
  readonly leaf: Leaf
  readonly isRequired: boolean
  /** Makes the default. */
  readonly fill: (() => unknown) | undefined
}

/** The checks of declared properties. */
export function propertiesStep(test: PropertiesTest, checkOf: (node: CheckNode) => Check): Step<Data> {
  const { properties, each, walks } = read(test, checkOf)
  if (!walks) return each
  const check = eachKey(properties, test.closed?.effect, { absent, each, mismatch: () => REJECTED })
  return (object, log) => check(object, log, undefined, '')
}

/** The check of an object that has declared properties, and nothing else is asked of it. */
export function propertiesCheck(
  test: PropertiesTest,
  type: TypeNode,
  checkOf: (node: CheckNode) => Check,
): Check {
  const { properties, each, walks } = read(test, checkOf)
  const mismatch = mismatchOf(type, () => check)
  const check: Check = walks
    ? eachKey(properties, test.closed?.effect, { absent, each, mismatch })
    : (value, log, parent, key) =>
        isSchemaObject(value) ? each(value, log) : mismatch(value, log, parent, key)
  return check
}

function read(test: PropertiesTest, checkOf: (node: CheckNode) => Check) {
  const { closed, isOrdered } = test
  const properties: Property[] = []
  for (const node of test.properties) properties.push(propertyOf(node, checkOf(node.node)))
  const each = eachProperty(properties, closed && othersStep(closed))
  // A name that objects inherit is never among the keys of one that does not have it.
  const isInherited = properties.some(({ name }) => name in Object.prototype)
  return { properties, each, walks: !isOrdered && !isInherited }
}

/** Reads the properties by name, in the order of the schema. */
function eachProperty(properties: readonly Property[], others: Step<Data> | undefined): Step<Data> {
  return (object, log) => {
    for (const property of properties) {
      const value = object[property.name]
      if (value === undefined) {
        const verdict = absent(property, object, log)
        if (verdict !== FITS) return verdict
      } else if (!fits(property.leaf.kind, property.leaf, value)) {
        const verdict = property.check(value, log, object, property.name)
        if (verdict !== FITS) return verdict
      }
    }
    return others === undefined ? FITS : others(object, log)
  }
}

function propertyOf({ name, node, presence, fallback }: PropertyNode, check: Check): Property {
  const fill = presence === 'filled' ? maker(fallback) : undefined
  return { name, check, leaf: leafOf(node), isRequired: presence === 'required', fill }
}

/** A property that is missing: filled, refused, or optional. */
function absent({ isRequired, fill, check, name }: Property, object: Data, log: EditLog): Verdict {
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
