import type { SchemaLocation } from '../document/location.ts'
import { isSchemaObject } from '../guards.ts'
import { remember } from '../remember.ts'

/*
 * `$dynamicRef` of 2020-12: a reference to a `$dynamicAnchor` resolves to the schema with that anchor in the outermost
 * resource that the walk has entered (section 8.2.3.2 of the specification).
 */

/** The resources that a walk has entered, the outermost first. Equal scopes are one object. */
export class DynamicScope {
  readonly #resources: readonly SchemaLocation[]
  readonly #inner: Map<string, DynamicScope> = new Map()
  readonly #keys: WeakMap<object, object> = new WeakMap()

  constructor(resources: readonly SchemaLocation[] = []) {
    this.#resources = resources
  }

  /** Returns the scope within the resource of a location. A known resource changes nothing. */
  enter(location: SchemaLocation): DynamicScope {
    const { document, base } = location
    if (this.#resources.some((known) => known.document === document && known.base === base)) return this
    const key = `${document.sharedId ?? ''} ${base}`
    return remember(this.#inner, key, () => new DynamicScope([...this.#resources, location]))
  }

  /** The schema with a dynamic anchor in the outermost resource that has it. */
  find(anchor: string): SchemaLocation | undefined {
    for (const { document, base } of this.#resources) {
      const found = document.named.get(`${base.split('#', 1)[0]}#${anchor}`)
      if (found !== undefined && dynamicAnchorOf(found) === anchor) return found
    }
    return undefined
  }

  /** A unique key for this scope and an object. */
  keyOf(object: object): object {
    return remember(this.#keys, object, () => ({}))
  }
}

/** The `$dynamicAnchor` of a schema. */
export function dynamicAnchorOf({ schema }: SchemaLocation): string | undefined {
  const anchor = isSchemaObject(schema) ? schema['$dynamicAnchor'] : undefined
  return typeof anchor === 'string' ? anchor : undefined
}
