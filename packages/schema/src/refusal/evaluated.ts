import { tupleOf } from '../document/tuple.ts'
import { isSchemaObject } from '../guards.ts'
import { REFUSED } from '../runtime/coerce.ts'
import { FAILED, PASSED, type Check, type Frame } from './frame.ts'
import { SILENT, type Mode } from './mode.ts'
import type { Applied, SchemaNode } from './node.ts'
import type { CheckFactory } from './plan.ts'
import { undeclaredTest } from './undeclared.ts'
import type { Value } from './value.ts'

/*
 * Which properties and items of a value have been looked at, for `unevaluatedProperties` and `unevaluatedItems`. A
 * schema with one of them starts a collection of its own, since it does not see what schemas beside it evaluate. What
 * a branch evaluates counts where the branch matches.
 */

/** The properties or items of one value that schemas have looked at. */
export class Evaluated {
  #hasAll: boolean = false
  readonly #keys: Set<string | number> = new Set()

  add(key: string | number): void {
    this.#keys.add(key)
  }

  addAll(): void {
    this.#hasAll = true
  }

  has(key: string | number): boolean {
    return this.#hasAll || this.#keys.has(key)
  }

  /** Takes over what another collection has. */
  merge(other: Evaluated): void {
    if (other.#hasAll) this.#hasAll = true
    for (const key of other.#keys) this.#keys.add(key)
  }
}

/** Applies a schema with a collection of its own; what it evaluates counts around it when the value fits. */
export function applyBranch(branch: Applied, value: Value, mode: Mode, frame: Frame): boolean {
  const outer = value.evaluated
  if (outer === undefined) return branch.apply(value, mode, frame)
  value.evaluated = new Evaluated()
  const fits = branch.apply(value, mode, frame)
  if (fits) outer.merge(value.evaluated)
  value.evaluated = outer
  return fits
}

/** A schema that has `unevaluatedProperties` or `unevaluatedItems`. */
export class Collector implements Applied {
  readonly #node: SchemaNode

  constructor(node: SchemaNode) {
    this.#node = node
  }

  accepts(): boolean {
    return false
  }

  coerced(): unknown {
    return REFUSED
  }

  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const outer = value.evaluated
    const own = new Evaluated()
    value.evaluated = own
    const fits = this.#node.apply(value, mode, frame)
    if (fits) outer?.merge(own)
    value.evaluated = outer
    return fits
  }
}

/** Whether a schema starts a collection. */
export function collects({ schema }: { readonly schema: unknown }): boolean {
  if (!isSchemaObject(schema)) return false
  return schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined
}

/** Notes the properties that the keywords of a schema look at. */
export const evaluatedProperties: CheckFactory = (node) => {
  const { properties, patternProperties, additionalProperties } = node.schema
  if (!node.unit.isCollecting) return undefined
  if (additionalProperties !== undefined) return allEvaluated
  if (properties === undefined && patternProperties === undefined) return undefined
  const isUndeclared = undeclaredTest(node)
  return ({ evaluated, object }) => {
    if (evaluated === undefined) return PASSED
    for (const key in object) if (!isUndeclared(key)) evaluated.add(key)
    return PASSED
  }
}

/** Notes the items that the keywords of a schema look at. */
export const evaluatedItems: CheckFactory = (node) => {
  if (!node.unit.isCollecting) return undefined
  const { dialect } = node.location.document
  const { schemas, rest } = tupleOf(node.schema, dialect)
  if (node.schema[rest] !== undefined) return allEvaluated
  const contained = dialect === '2020-12' && node.schema['contains'] !== undefined
  if (schemas.length === 0 && !contained) return undefined
  const match = contained ? node.below('contains') : undefined
  if (contained && match === undefined) return allEvaluated
  return (value, _mode, frame) => {
    const { evaluated, data } = value
    if (evaluated === undefined || !Array.isArray(data)) return PASSED
    for (let index = 0; index < data.length; index++) {
      const isMatch = index < schemas.length || match?.apply(value.entry(index), SILENT, frame) === true
      if (isMatch) evaluated.add(index)
    }
    return PASSED
  }
}

const allEvaluated: Check = ({ evaluated }) => {
  evaluated?.addAll()
  return PASSED
}

/** The keyword `unevaluatedProperties`. */
export const unevaluatedPropertiesCheck: CheckFactory = (node) => {
  const { unevaluatedProperties } = node.schema
  if (unevaluatedProperties === undefined) return undefined
  const rule = { keyword: 'unevaluatedProperties', node } as const
  const property = unevaluatedProperties === false ? undefined : node.below('unevaluatedProperties')
  if (unevaluatedProperties !== false && property === undefined) return allEvaluated
  return (value, mode, frame) => {
    let fits = true
    for (const unevaluatedProperty in value.object) {
      if (value.evaluated?.has(unevaluatedProperty) === true) continue
      if (property === undefined) frame.fail(rule, { unevaluatedProperty }, value, mode)
      else if (property.apply(value.entry(unevaluatedProperty), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    value.evaluated?.addAll()
    return fits ? PASSED : FAILED
  }
}

/** The keyword `unevaluatedItems`. */
export const unevaluatedItemsCheck: CheckFactory = (node) => {
  const { unevaluatedItems } = node.schema
  if (unevaluatedItems === undefined) return undefined
  const rule = { keyword: 'unevaluatedItems', node } as const
  const item = unevaluatedItems === false ? undefined : node.below('unevaluatedItems')
  if (unevaluatedItems !== false && item === undefined) return allEvaluated
  return (value, mode, frame) => {
    const { data } = value
    const length = Array.isArray(data) ? data.length : 0
    let fits = true
    for (let index = 0; index < length; index++) {
      if (value.evaluated?.has(index) === true) continue
      if (item === undefined) return frame.fail(rule, { limit: index }, value, mode)
      if (item.apply(value.entry(index), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    value.evaluated?.addAll()
    return fits ? PASSED : FAILED
  }
}
