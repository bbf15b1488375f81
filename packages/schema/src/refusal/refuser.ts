import type { ErrorObject } from 'ajv'
import type { SchemaLocation, SchemaScope } from '../document/location.ts'
import { Frame } from './frame.ts'
import { SchemaNode, type Unit } from './node.ts'
import { planOf } from './plan.ts'
import { quickTest } from './quick.ts'
import { onlyReference, referenced, targetOf } from './reference.ts'
import type { RefusalSettings } from './settings.ts'
import { Value } from './value.ts'
import { flatten, Walk } from './walk.ts'

/** The holder of a value that coercion may replace as a whole. */
interface Holder {
  value: unknown
}

/**
 * Validates as Ajv does, without generated code: the same verdicts, the same changes of the data, and the same errors.
 * The schema is read once, each part of it when the first value comes to it.
 */
export class Refuser {
  readonly #root: SchemaNode
  readonly #settings: RefusalSettings
  readonly #scope: SchemaScope
  readonly #functions: Map<unknown, SchemaNode> = new Map()
  readonly #unit: Unit

  constructor(root: SchemaLocation, scope: SchemaScope, settings: RefusalSettings) {
    this.#settings = settings
    this.#scope = scope
    this.#unit = {
      scope,
      settings,
      plan: planOf,
      quick: quickTest,
      applied: (location, schemaPath) =>
        onlyReference(location.schema) === undefined
          ? new SchemaNode(this.#unit, location, schemaPath)
          : referenced(this.#unit, location),
      functionOf: (location) => this.#functionOf(location),
    }
    this.#root = this.#functionOf(root)
  }

  /**
   * What is wrong with a value; null when nothing is.
   * @param holder - holds the value itself; a coercion of the whole value replaces it there
   */
  errorsOf(data: unknown, holder?: Holder): ErrorObject[] | null {
    return this.#run(this.#root, data, holder)
  }

  /**
   * What is wrong with a value by a schema inside, which the `schemaPath` of an error names; null when nothing is, or
   * when there is no such schema.
   */
  errorsOfPart(schemaPath: string, data: unknown): ErrorObject[] | null {
    const part = targetOf({ ...this.#root.location, schema: { $ref: schemaPath } }, this.#scope)
    return part === undefined ? null : this.#run(this.#functionOf(part), data, undefined)
  }

  #run(node: SchemaNode, data: unknown, holder: Holder | undefined): ErrorObject[] | null {
    const container = { value: data }
    const walk = new Walk(this.#settings)
    const errors = walk.descent.run(() => {
      walk.begin()
      const frame = new Frame(walk)
      return node.apply(new Value(container.value, container, 'value'), walk.mode, frame)
        ? null
        : frame.errors
    })
    if (holder !== undefined) holder.value = container.value
    return errors && flatten(errors)
  }

  #functionOf(location: SchemaLocation): SchemaNode {
    const known = this.#functions.get(location.schema)
    if (known !== undefined) return known
    const node = new SchemaNode(this.#unit, location, '#')
    this.#functions.set(location.schema, node)
    return node
  }
}
