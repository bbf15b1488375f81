import { type Frame, type Mode, SILENT } from './walk.ts'
import type { SchemaNode } from './node.ts'
import type { Value } from './value.ts'

/*
 * The properties and items of a value that were evaluated, for `unevaluatedProperties` and `unevaluatedItems`. A schema
 * with one of them starts its own collection, because it does not see what schemas beside it evaluate. A branch counts
 * only if it matches.
 */

/** The properties or items of one value that schemas have evaluated. */
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

  /** Adds the content of another collection. */
  merge(other: Evaluated): void {
    if (other.#hasAll) this.#hasAll = true
    for (const key of other.#keys) this.#keys.add(key)
  }
}

/** Runs a check of a value with its own collection, which is added to the outer one if the value matches. */
export function collect(value: Value, check: () => boolean): boolean {
  const outer = value.evaluated
  const own = new Evaluated()
  value.evaluated = own
  const fits = check()
  if (fits) outer?.merge(own)
  value.evaluated = outer
  return fits
}

/** Applies a branch of a union, or a condition. */
export function applyBranch(branch: SchemaNode, value: Value, mode: Mode, frame: Frame): boolean {
  if (value.evaluated === undefined) return branch.apply(value, mode, frame)
  return collect(value, () => branch.apply(value, mode, frame))
}

/** Whether a condition is true. If unions remove by branch, conditions remove nothing. */
export function holds(condition: SchemaNode, value: Value, frame: Frame): boolean {
  const { settings, removal } = frame.walk
  if (!settings.removesByBranch) return applyBranch(condition, value, SILENT, frame)
  return removal.test(() => applyBranch(condition, value, SILENT, frame))
}
