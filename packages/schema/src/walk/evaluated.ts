import { type Frame, type Mode, SILENT } from './walk.ts'
import type { SchemaNode } from './node.ts'
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

/** Runs a check of a value with a collection of its own; what it evaluates counts around it where the value fits. */
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

/** Whether a condition holds. Where unions remove by branch, conditions remove nothing. */
export function holds(condition: SchemaNode, value: Value, frame: Frame): boolean {
  const { settings, removal } = frame.walk
  if (!settings.removesByBranch) return applyBranch(condition, value, SILENT, frame)
  return removal.test(() => applyBranch(condition, value, SILENT, frame))
}
