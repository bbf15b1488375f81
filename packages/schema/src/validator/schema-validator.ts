import type { ErrorObject } from 'ajv'
import type { SchemaLocation, SchemaScope } from '../document/location.ts'
import { leafOf, readPlan } from '../keywords/reading.ts'
import { inPlaceOf, targetOf } from '../keywords/reference.ts'
import { isObject } from '../guards.ts'
import { remember } from '../remember.ts'
import { compileExpression, type Expression } from '../regexp/compile.ts'
import { Coercers } from '../runtime/coerce.ts'
import { DynamicScope } from '../walk/dynamic-scope.ts'
import { flatten } from '../walk/flatten.ts'
import { Frame, Walk } from '../walk/walk.ts'
import { isInlined } from '../walk/inlining.ts'
import type { Leaf } from '../walk/leaf.ts'
import { EDIT, Look, YES } from '../walk/look.ts'
import { SchemaNode, type NodeContext } from '../walk/node.ts'
import type { Plan } from '../walk/plan.ts'
import type { WalkSettings } from '../walk/settings.ts'
import { Value } from '../walk/value.ts'
import { boundedErrors, type Accept, type Decider, type ValueHolder } from './decider.ts'

/** The needs of schemas of 2020-12 for a walk. */
export interface WalkNeeds {
  /** Whether schemas record which properties and items they evaluate. */
  readonly isCollecting?: boolean
  /** Whether the walk records the resources that it enters. */
  readonly isDynamic?: boolean
}

interface Spare {
  readonly walk: Walk
  readonly value: Value
}

/** The common parts of the validators of one engine. */
export class ValidatorTables {
  readonly settings: WalkSettings
  readonly coercers: Coercers
  /** Whether Ajv decides about values that looks do not accept. */
  readonly isForAjv: boolean
  /** Nodes of schemas without references, by schema and by the path in their errors. */
  readonly #shared: WeakMap<object, Map<string, SchemaNode | null>> = new WeakMap()
  /** Where the errors of the branches begin in a list of errors, by the error of their union. */
  readonly unions: WeakMap<ErrorObject, number> = new WeakMap()
  /** One of each is enough, unless a getter of a value calls a validator while another one runs. */
  look: Look | undefined = undefined
  #walk: Spare | undefined = undefined

  constructor(settings: WalkSettings, isForAjv: boolean = false) {
    this.settings = settings
    this.coercers = new Coercers(settings.coercion, settings.exactIntegers !== false)
    this.isForAjv = isForAjv
  }

  /**
   * Returns the node of a shared schema, created once for all schemas that refer to it.
   * @param make - returns undefined for a schema that is a function
   */
  shared(schema: object, path: string, make: () => SchemaNode | undefined): SchemaNode | undefined {
    const byPath = remember(this.#shared, schema, () => new Map<string, SchemaNode | null>())
    return remember(byPath, path, () => make() ?? null) ?? undefined
  }

  walk<Result>(walk: (spare: Spare) => Result): Result {
    const own = this.#walk ?? { walk: new Walk(this.settings), value: new Value() }
    this.#walk = undefined
    own.walk.decisions.begin()
    const result = walk(own)
    own.value.clear()
    this.#walk = own
    return result
  }
}

/**
 * Validates as Ajv does, without generated code: the same verdicts, the same changes of the data, and the same
 * errors. Each part of the schema is read once, when the first value reaches it.
 */
export class SchemaValidator implements Decider, NodeContext {
  readonly scope: SchemaScope
  readonly settings: WalkSettings
  readonly coercers: Coercers
  readonly isForAjv: boolean
  readonly isCollecting: boolean
  readonly isDynamic: boolean
  readonly mayEdit: boolean
  readonly editsOnFailure: boolean
  readonly #tables: ValidatorTables
  root: SchemaNode
  /** Returns the schema's location again. */
  readonly #source: { readonly root: SchemaLocation }
  #functions: Map<unknown, SchemaNode> | undefined = undefined
  /** Where walks begin; undefined if no schema has a `$dynamicRef`. */
  readonly #dynamicScope: DynamicScope | undefined

  /**
   * @param needs - what schemas of 2020-12 require; empty for draft-07 alone
   * @param source - returns the location of the schema again
   */
  constructor(
    root: SchemaLocation,
    scope: SchemaScope,
    tables: ValidatorTables,
    needs: WalkNeeds = {},
    source: { readonly root: SchemaLocation } = { root },
  ) {
    const { settings, coercers, isForAjv } = tables
    const { coercion, remove, defaults, allErrors } = settings
    this.scope = scope
    this.settings = settings
    this.coercers = coercers
    this.isForAjv = isForAjv
    this.isCollecting = needs.isCollecting === true
    this.isDynamic = needs.isDynamic === true
    this.mayEdit = coercion !== false || remove !== false || defaults
    this.editsOnFailure = allErrors && this.mayEdit
    this.#tables = tables
    this.#source = source
    this.root = new SchemaNode(this, root)
    this.#dynamicScope = this.isDynamic ? new DynamicScope().enter(root) : undefined
  }

  /** Whether looks are useful: not if only a walk can decide about any value. */
  get mayAccept(): boolean {
    return !this.root.plan.asksAlways
  }

  /**
   * Reads the whole schema.
   * @param forgets - releases the schema afterwards; only for one that does not refer into itself. Shared parts are
   * kept, because other validators use them
   */
  readAll(forgets: boolean = false): void {
    const { document } = this.root.location
    // A set is iterated in order, including entries that are added meanwhile.
    const all = new Set([this.root])
    for (const node of all) node.plan.eachBelow((below) => all.add(below))
    if (forgets) for (const node of all) if (node.location.document === document) node.forget()
  }

  reset(): void {
    this.root = new SchemaNode(this, this.reopen())
    this.#functions = undefined
  }

  /** Creates the function that accepts a value and changes it as Ajv would, or returns false and changes nothing. */
  acceptor(): Accept {
    const tables = this.#tables
    const { root } = this
    let plan: Plan | undefined
    return (data, holder) => {
      plan ??= root.plan
      const look = tables.look ?? new Look()
      tables.look = undefined
      const verdict = plan.look(data, look.begin(EDIT), holder, 'value')
      const fits = look.end(verdict === YES)
      tables.look = look
      return fits
    }
  }

  /**
   * Returns the errors of a value; null if it is valid.
   * @param holder - holds the value itself; a coercion of the whole value replaces it there
   */
  errorsOf(data: unknown, holder?: ValueHolder): ErrorObject[] | null {
    return this.#walk(this.root, data, holder)
  }

  errorsOfPart(schemaPath: string, data: unknown): ErrorObject[] | null {
    const part = targetOf({ ...this.reopen(), schema: { $ref: schemaPath } }, this.scope)
    return part === undefined ? null : this.#walk(this.functionAt(part), data, undefined)
  }

  branchesStart(union: ErrorObject): number | undefined {
    return this.#tables.unions.get(union)
  }

  #walk(node: SchemaNode, data: unknown, holder: ValueHolder | undefined): ErrorObject[] | null {
    const container = { value: data }
    const errors = this.#tables.walk(({ walk, value }) =>
      walk.descent.run(() => {
        walk.begin()
        walk.scope = this.#dynamicScope
        const frame = new Frame(walk)
        const fits = node.apply(value.set(container, 'value', container.value), walk.mode, frame)
        return fits ? null : frame.errors
      }),
    )
    if (holder !== undefined) holder.value = container.value
    return (
      errors && boundedErrors(flatten(errors, this.settings.narrowsUnions ? this.#tables.unions : undefined))
    )
  }

  read(node: SchemaNode): Plan {
    return readPlan(node)
  }

  expression(source: string): Expression {
    return compileExpression(source, 'u')
  }

  leafOf(schema: unknown): Leaf {
    return leafOf(schema, this.settings.exactIntegers)
  }

  reopen(): SchemaLocation {
    return this.#source.root
  }

  inPlaceOf(location: SchemaLocation): SchemaNode | undefined {
    return inPlaceOf(location, this)
  }

  functionAt(location: SchemaLocation): SchemaNode {
    const functions = (this.#functions ??= new Map([[this.root.location.schema, this.root]]))
    return remember(functions, location.schema, () => new SchemaNode(this, location))
  }

  inlinedAt(location: SchemaLocation, path: string): SchemaNode | undefined {
    const { schema, document } = location
    const { inlineRefs } = this.settings
    const isShared =
      document.sharedId !== undefined && inlineRefs === true && !this.isCollecting && !this.isDynamic
    const make = (): SchemaNode | undefined =>
      isInlined(schema, inlineRefs) ? new SchemaNode(this, location, path) : undefined
    return isShared && isObject(schema) ? this.#tables.shared(schema, path, make) : make()
  }
}
