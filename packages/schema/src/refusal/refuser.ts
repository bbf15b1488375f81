import type { ErrorObject } from 'ajv'
import type { SchemaLocation, SchemaScope } from '../document/location.ts'
import { isSchemaObject } from '../guards.ts'
import { boundedErrors } from '../validator/bounded-errors.ts'
import { Frame } from './frame.ts'
import { DynamicScope, Scoped } from './dynamic-scope.ts'
import { Collector, collects } from './evaluated.ts'
import { SchemaNode, type Applied, type Unit } from './node.ts'
import { planOf } from './plan.ts'
import { quickOf } from './quick.ts'
import { Call, onlyReference, referenced, targetOf } from './reference.ts'
import type { RefusalSettings } from './settings.ts'
import { Value } from './value.ts'
import { flatten, Walk } from './walk.ts'

/** What schemas of 2020-12 ask of a walk. */
export interface RefuserNeeds {
  /** Schemas note which properties and items they look at. */
  readonly isCollecting?: boolean
  /** The walk keeps the resources that it comes through. */
  readonly isDynamic?: boolean
}

/** The holder of a value that coercion may replace as a whole. */
interface Holder {
  value: unknown
}

/**
 * Validates as Ajv does, without generated code: the same verdicts, the same changes of the data, and the same errors.
 * The schema is read once, each part of it when the first value comes to it.
 */
export class Refuser {
  readonly #root: SchemaLocation
  readonly #settings: RefusalSettings
  readonly #scope: SchemaScope
  readonly #functions: Map<unknown, Applied> = new Map()
  readonly #unit: Unit
  /** Where walks begin; undefined where no schema has a `$dynamicRef`. */
  readonly #dynamicScope: DynamicScope | undefined

  /** @param needs - what schemas of 2020-12 ask for; none of it for draft-07 alone */
  constructor(root: SchemaLocation, scope: SchemaScope, settings: RefusalSettings, needs: RefuserNeeds = {}) {
    this.#settings = settings
    this.#scope = scope
    this.#dynamicScope = needs.isDynamic === true ? new DynamicScope().enter(root) : undefined
    this.#unit = {
      scope,
      settings,
      isCollecting: needs.isCollecting === true,
      plan: planOf,
      quick: quickOf,
      isDynamic: this.#dynamicScope !== undefined,
      applied: (location, schemaPath) => this.#appliedAt(location, schemaPath),
      call: (location) => new Call(this.#functionOf(location)),
    }
    this.#root = root
  }

  /**
   * What is wrong with a value; null when nothing is.
   * @param holder - holds the value itself; a coercion of the whole value replaces it there
   */
  errorsOf(data: unknown, holder?: Holder): ErrorObject[] | null {
    return this.#run(this.#functionOf(this.#root), data, holder)
  }

  /**
   * What is wrong with a value by a schema inside, which the `schemaPath` of an error names; null when nothing is, or
   * when there is no such schema.
   */
  errorsOfPart(schemaPath: string, data: unknown): ErrorObject[] | null {
    const part = targetOf({ ...this.#root, schema: { $ref: schemaPath } }, this.#scope)
    return part === undefined ? null : this.#run(this.#functionOf(part), data, undefined)
  }

  #run(node: Applied, data: unknown, holder: Holder | undefined): ErrorObject[] | null {
    const container = { value: data }
    const walk = new Walk(this.#settings)
    const errors = walk.descent.run(() => {
      walk.begin()
      walk.scope = this.#dynamicScope
      const frame = new Frame(walk)
      return node.apply(new Value(container.value, container, 'value'), walk.mode, frame)
        ? null
        : frame.errors
    })
    if (holder !== undefined) holder.value = container.value
    return errors && boundedErrors(flatten(errors))
  }

  #functionOf(location: SchemaLocation): Applied {
    const known = this.#functions.get(location.schema)
    if (known !== undefined) return known
    const node = this.#entered(location, this.#nodeOf(location, '#'))
    this.#functions.set(location.schema, node)
    return node
  }

  #appliedAt(location: SchemaLocation, schemaPath: string): Applied {
    const applied =
      onlyReference(location) === undefined
        ? this.#nodeOf(location, schemaPath)
        : referenced(this.#unit, location)
    return hasId(location) ? this.#entered(location, applied) : applied
  }

  #nodeOf(location: SchemaLocation, schemaPath: string): Applied {
    const node = new SchemaNode(this.#unit, location, schemaPath)
    return collects(location) ? new Collector(node) : node
  }

  /** A schema at which the walk comes into a resource. */
  #entered(location: SchemaLocation, applied: Applied): Applied {
    return this.#dynamicScope === undefined ? applied : new Scoped(location, applied)
  }
}

function hasId({ schema }: SchemaLocation): boolean {
  return isSchemaObject(schema) && typeof schema['$id'] === 'string'
}
