import { isSchemaObject } from '../guards.ts'
import { compileExpression, type Expression } from '../regexp/compile.ts'
import { countCheck } from './count.ts'
import { dependenciesCheck, dependentRequiredCheck, dependentSchemasCheck } from './dependencies.ts'
import { evaluatedProperties, unevaluatedPropertiesCheck } from './evaluated.ts'
import { FAILED, PASSED, SKIPPED, type Check } from './frame.ts'
import type { Applied } from './node.ts'
import type { CheckFactory } from './plan.ts'
import { fitsAtOnce } from './quick.ts'
import { additionalPropertiesCheck, removalCheck } from './undeclared.ts'

/** The keyword `required`. In a short list Ajv overlooks the empty name, unless all errors are wanted. */
const requiredCheck: CheckFactory = (node) => {
  const { required } = node.schema
  if (!Array.isArray(required) || required.length === 0) return undefined
  const names: readonly string[] = required.map(String)
  const seesEmpty = names.length >= node.unit.settings.loopRequired
  const rule = { keyword: 'required', node } as const
  return (value, mode, frame) => {
    const data = value.object
    let fits = true
    for (const missingProperty of names) {
      if (data[missingProperty] !== undefined) continue
      if (mode.isThorough) {
        frame.fail(rule, { missingProperty }, value, mode)
        fits = false
      } else if (missingProperty !== '' || seesEmpty) {
        return frame.fail(rule, { missingProperty }, value, mode)
      }
    }
    return fits ? PASSED : FAILED
  }
}

/** The keyword `propertyNames`. For an object without properties Ajv goes by the verdict on the object before. */
const propertyNamesCheck: CheckFactory = (node) => {
  const names = node.below('propertyNames')
  if (names === undefined) return undefined
  const rule = { keyword: 'propertyNames', node } as const
  return (value, mode, frame) => {
    let fits = true
    let verdict = frame.lastVerdict(rule)
    for (const propertyName in value.object) {
      verdict = names.apply(value.name(propertyName), mode.forName(propertyName), frame)
      if (verdict) continue
      frame.failBehind(rule, { propertyName }, value, mode)
      fits = false
      if (!mode.isThorough) break
    }
    frame.keepVerdict(rule, verdict)
    if (!fits) return FAILED
    return verdict || mode.isThorough ? PASSED : SKIPPED
  }
}

/** The keyword `properties`. */
const propertiesCheck: CheckFactory = (node) => {
  const { properties } = node.schema
  if (!isSchemaObject(properties)) return undefined
  const removal = removalCheck(node)
  const entries = declaredNames(properties).flatMap((name) => {
    const property = node.below('properties', name)
    return property === undefined ? [] : [{ name, property }]
  })
  if (entries.length === 0 && removal === undefined) return undefined
  return (value, mode, frame) => {
    removal?.(value, mode, frame)
    const data = value.object
    let fits = true
    for (const { name, property } of entries) {
      if (data[name] === undefined || fitsAtOnce(property, data, name)) continue
      if (property.apply(value.entry(name), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

/** The keyword `patternProperties`. */
const patternPropertiesCheck: CheckFactory = (node) => {
  const { patternProperties } = node.schema
  if (!isSchemaObject(patternProperties)) return undefined
  const checks = declaredNames(patternProperties).flatMap((source) => {
    const property = node.below('patternProperties', source)
    return property === undefined ? [] : patternCheck(compileExpression(source, 'u'), property)
  })
  if (checks.length === 0) return undefined
  return (value, mode, frame) => {
    let fits = true
    for (const check of checks) {
      if (check(value, mode, frame) !== FAILED) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

function patternCheck(pattern: Expression, property: Applied): Check {
  return (value, mode, frame) => {
    const data = value.object
    let fits = true
    for (const key in data) {
      if (!pattern.test(key) || fitsAtOnce(property, data, key)) continue
      if (property.apply(value.entry(key), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

/** The names of a map of schemas that Ajv looks at. */
function declaredNames(schemas: object): string[] {
  return Object.keys(schemas).filter((name) => name !== '__proto__')
}

/** The keywords about objects, in Ajv's order. */
export const OBJECT_CHECKS: readonly CheckFactory[] = [
  countCheck('maxProperties', ({ object }, limit) => Object.keys(object).length <= limit),
  countCheck('minProperties', ({ object }, limit) => Object.keys(object).length >= limit),
  requiredCheck,
  propertyNamesCheck,
  additionalPropertiesCheck,
  dependenciesCheck,
  propertiesCheck,
  patternPropertiesCheck,
  dependentRequiredCheck,
  dependentSchemasCheck,
  evaluatedProperties,
  unevaluatedPropertiesCheck,
]
