import { isObject } from '../guards.ts'
import type { Frame } from '../walk/frame.ts'
import { applyBranch } from '../walk/evaluated.ts'
import { UNION, type Look } from '../walk/look.ts'
import { SILENT } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Value } from '../walk/value.ts'
import { ASK, NO, YES, type Verdict } from '../walk/verdict.ts'
import { tagOf } from './tag.ts'

/** Whether a condition holds. Where unions remove by branch, conditions remove nothing. */
export function holds(condition: SchemaNode, value: Value, frame: Frame): boolean {
  const { settings, removal } = frame.walk
  if (!settings.removesByBranch) return applyBranch(condition, value, SILENT, frame)
  return removal.test(() => applyBranch(condition, value, SILENT, frame))
}

/** Branches that cannot refuse a value still say what is evaluated. */
export function noteBranches(branches: readonly SchemaNode[], value: Value, frame: Frame): void {
  if (value.evaluated !== undefined) for (const branch of branches) holds(branch, value, frame)
}

/** The branches of a union. Where one property names the branch by its text, the others need not be looked at. */
export class Branches {
  readonly nodes: readonly (SchemaNode | undefined)[]
  /** Undefined: not yet looked for; null: there is none. */
  #tag: string | null | undefined = undefined
  readonly #byText: Map<unknown, SchemaNode[]> = new Map()

  /** @param nodes - undefined in place of a branch that accepts everything */
  constructor(nodes: readonly (SchemaNode | undefined)[]) {
    this.nodes = nodes
  }

  /** Whether a value fits one of them: the first that does not refuse it decides. */
  any(data: unknown, look: Look): Verdict {
    const left = this.#left(data)
    const only = look.use === UNION ? undefined : onlyOf(left)
    if (only !== undefined) return only.look(data, look, undefined, '')
    for (const branch of left) {
      const verdict = branch === undefined ? YES : branch.lookAsBranch(data, look)
      if (verdict !== NO) return verdict
    }
    return NO
  }

  /** Whether a value fits exactly one. */
  one(data: unknown, look: Look): Verdict {
    let count = 0
    const left = this.#left(data)
    const only = look.use === UNION ? undefined : onlyOf(left)
    if (only !== undefined) return only.look(data, look, undefined, '')
    for (const branch of left) {
      const verdict = branch === undefined ? YES : branch.lookAsBranch(data, look)
      if (verdict === ASK) return ASK
      count += verdict
      if (count > 1) return NO
    }
    return count === 1 ? YES : NO
  }

  /** The branches that are left for a value. */
  #left(data: unknown): readonly (SchemaNode | undefined)[] {
    const tag = this.#tag === undefined ? (this.#tag = this.#findTag()) : this.#tag
    if (tag === null || !isObject(data)) return this.nodes
    const text = data[tag]
    return typeof text === 'string' ? (this.#byText.get(text) ?? NONE) : this.nodes
  }

  #findTag(): string | null {
    const name = this.nodes.length > 1 && this.nodes[0] !== undefined ? tagOf(this.nodes[0])?.name : undefined
    if (name === undefined) return null
    for (const node of this.nodes) {
      const tag = node && tagOf(node)
      if (node === undefined || tag?.name !== name || node.context.editsOnFailure) return null
      for (const text of new Set(tag.values))
        this.#byText.set(text, [...(this.#byText.get(text) ?? []), node])
    }
    return name
  }
}

const NONE: readonly SchemaNode[] = []

/** The only branch that is left: nothing else can come of the value, so that the order of its keywords does not matter. */
function onlyOf(left: readonly (SchemaNode | undefined)[]): SchemaNode | undefined {
  return left.length === 1 ? left[0] : undefined
}

/** The other verdict. */
export function negated(verdict: Verdict): Verdict {
  return verdict === ASK ? ASK : verdict === YES ? NO : YES
}
