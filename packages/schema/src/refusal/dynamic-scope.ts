import type { SchemaLocation } from '../document/location.ts'
import { isSchemaObject } from '../guards.ts'
import { REFUSED } from '../runtime/coerce.ts'
import { FAILED, PASSED, type Frame } from './frame.ts'
import type { Mode } from './mode.ts'
import type { Applied } from './node.ts'
import type { CheckFactory } from './plan.ts'
import type { Value } from './value.ts'

/*
 * `$dynamicRef` of 2020-12: a reference to a `$dynamicAnchor` leads to the schema with that anchor in the outermost
 * resource that the walk has come through (section 8.2.3.2 of the specification).
 */

/** The resources that a walk has come through, the outermost first. Equal scopes are one object. */
export class DynamicScope {
  readonly #resources: readonly SchemaLocation[]
  readonly #inner: Map<string, DynamicScope> = new Map()
  readonly #keys: WeakMap<object, object> = new WeakMap()

  constructor(resources: readonly SchemaLocation[] = []) {
    this.#resources = resources
  }

  /** The scope within the resource of a location. A resource that is known already changes nothing. */
  enter(location: SchemaLocation): DynamicScope {
    if (this.#resources.some((known) => isSameResource(known, location))) return this
    const { document, base } = location
    const key = `${document.sharedId ?? ''} ${base}`
    const known = this.#inner.get(key)
    if (known !== undefined) return known
    const inner = new DynamicScope([...this.#resources, location])
    this.#inner.set(key, inner)
    return inner
  }

  /** The schema with a dynamic anchor in the outermost resource that has it. */
  find(anchor: string): SchemaLocation | undefined {
    for (const { document, base } of this.#resources) {
      const found = document.named.get(`${base.split('#', 1)[0]}#${anchor}`)
      if (found !== undefined && dynamicAnchorOf(found) === anchor) return found
    }
    return undefined
  }

  /** A key of its own for this scope and an object. */
  keyOf(object: object): object {
    const known = this.#keys.get(object)
    if (known !== undefined) return known
    const key = {}
    this.#keys.set(object, key)
    return key
  }
}

function isSameResource(a: SchemaLocation, b: SchemaLocation): boolean {
  return a.document === b.document && a.base === b.base
}

/** The `$dynamicAnchor` of a schema. */
function dynamicAnchorOf({ schema }: SchemaLocation): string | undefined {
  const anchor = isSchemaObject(schema) ? schema['$dynamicAnchor'] : undefined
  return typeof anchor === 'string' ? anchor : undefined
}

/** A schema that is applied within its own resource. */
export class Scoped implements Applied {
  readonly #location: SchemaLocation
  readonly #inner: Applied

  constructor(location: SchemaLocation, inner: Applied) {
    this.#location = location
    this.#inner = inner
  }

  accepts(): boolean {
    return false
  }

  coerced(): unknown {
    return REFUSED
  }

  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { walk } = frame
    const outer = walk.scope
    walk.scope = (outer ?? new DynamicScope()).enter(this.#location)
    const fits = this.#inner.apply(value, mode, frame)
    walk.scope = outer
    return fits
  }
}

/** The keyword `$dynamicRef`. */
export const dynamicReferenceCheck: CheckFactory = (node) => {
  const ref = node.schema['$dynamicRef']
  if (typeof ref !== 'string' || node.location.document.dialect === 'draft-07') return undefined
  const first = node.unit.scope.resolve(node.location, ref)
  if (first === undefined) return undefined
  const anchor = dynamicAnchorOf(first)
  const isDynamic = anchor !== undefined && ref.endsWith(`#${anchor}`)
  const calls = new Map<SchemaLocation, Applied>()
  const callOf = (target: SchemaLocation): Applied => {
    const known = calls.get(target)
    if (known !== undefined) return known
    const call = node.unit.call(target)
    calls.set(target, call)
    return call
  }
  return (value, mode, frame) => {
    const target = (isDynamic ? frame.walk.scope?.find(anchor) : undefined) ?? first
    return callOf(target).apply(value, mode, frame) ? PASSED : FAILED
  }
}
