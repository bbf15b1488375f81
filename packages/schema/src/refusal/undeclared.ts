import { isSchemaObject } from '../guards.ts'
import { compileExpression } from '../regexp/compile.ts'
import { FAILED, PASSED, type Check } from './frame.ts'
import type { SchemaNode } from './node.ts'
import type { CheckFactory } from './plan.ts'
import { fitsAtOnce } from './quick.ts'

/** Up to this number of names Ajv compares them one by one; with more it looks a name up in the schema. */
const FEW = 8

/** Whether neither `properties` nor `patternProperties` declare a name. */
export function undeclaredTest({ schema }: SchemaNode): (key: string) => boolean {
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {}
  const names = new Set(Object.keys(properties).filter((name) => name !== '__proto__'))
  const isDeclared =
    names.size > FEW ? (key: string) => Object.hasOwn(properties, key) : (key: string) => names.has(key)
  const patternProperties = isSchemaObject(schema['patternProperties']) ? schema['patternProperties'] : {}
  const patterns = Object.keys(patternProperties)
    .filter((source) => source !== '__proto__')
    .map((source) => compileExpression(source, 'u'))
  return (key) => !isDeclared(key) && !patterns.some((pattern) => pattern.test(key))
}

function remover(node: SchemaNode): Check {
  const isUndeclared = undeclaredTest(node)
  const refuse = refuser(node, isUndeclared)
  return (value, mode, frame) => {
    const { removal } = frame.walk
    if (removal.treatment === 'refuse') {
      const outcome = refuse(value, mode, frame)
      if (outcome === FAILED) removal.hasRefused = true
      return outcome
    }
    const data = value.object
    for (const key in data) {
      if (isUndeclared(key)) removal.remove(data, key)
    }
    return PASSED
  }
}

/** Removes undeclared properties where the schema says nothing about them, with `removeAdditional: 'all'`. */
export function removalCheck(node: SchemaNode): Check | undefined {
  const isSilent = node.schema['additionalProperties'] === undefined
  return isSilent && node.unit.settings.remove === 'all' ? remover(node) : undefined
}

/** The keyword `additionalProperties`. */
export const additionalPropertiesCheck: CheckFactory = (node) => {
  const { additionalProperties } = node.schema
  const { remove } = node.unit.settings
  if (additionalProperties === undefined) return undefined
  if (remove === 'all' || (remove && additionalProperties === false)) return remover(node)
  const isUndeclared = undeclaredTest(node)
  if (additionalProperties === false) return refuser(node, isUndeclared)
  const property = node.below('additionalProperties')
  if (property === undefined) return undefined
  return (value, mode, frame) => {
    const data = value.object
    let fits = true
    for (const key in data) {
      if (!isUndeclared(key) || fitsAtOnce(property, data, key)) continue
      if (property.apply(value.entry(key), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

function refuser(node: SchemaNode, isUndeclared: (key: string) => boolean): Check {
  const rule = { keyword: 'additionalProperties', node } as const
  return (value, mode, frame) => {
    let fits = true
    for (const additionalProperty in value.object) {
      if (!isUndeclared(additionalProperty)) continue
      frame.fail(rule, { additionalProperty }, value, mode)
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}
