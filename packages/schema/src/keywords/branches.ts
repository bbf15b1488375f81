import { isObject } from '../guards.ts'
import { applyBranch } from '../walk/evaluated.ts'
import { type Frame, SILENT } from '../walk/walk.ts'
import { UNION, type Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Tag } from '../walk/part.ts'
import { ASK, NO, YES, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'
import { NotePart } from './unevaluated.ts'

/** Whether a condition holds. Where unions remove by branch, conditions remove nothing. */
export function holds(condition: SchemaNode, value: Value, frame: Frame): boolean {
  const { settings, removal } = frame.walk
  if (!settings.removesByBranch) return applyBranch(condition, value, SILENT, frame)
  return removal.test(() => applyBranch(condition, value, SILENT, frame))
}

/** Branches that cannot refuse a value still say what is evaluated. */
export function noteBranches(branches: readonly SchemaNode[]): NotePart<unknown> {
  return new NotePart(
    (_data, value, frame) => branches.forEach((branch) => holds(branch, value, frame)),
    branches,
  )
}

/** The branches of a union. Where one property names the branch by its text, the others need not be looked at. */
export class Branches {
  readonly nodes: readonly SchemaNode[]
  /** Undefined: not yet looked for; null: there is none. */
  #tag: string | null | undefined = undefined
  readonly #byText: Map<unknown, SchemaNode[]> = new Map()

  constructor(nodes: readonly SchemaNode[]) {
    this.nodes = nodes
  }

  /**
   * Whether a value fits one of them: at least one, where that is enough, or else exactly one. The first that does not
   * refuse it decides, or the second.
   */
  look(data: unknown, look: Look, enough: number): Verdict {
    const left = this.#left(data)
    const [only] = left
    // Nothing else can come of the value, so that the order of its keywords does not matter.
    if (only !== undefined && left.length === 1 && look.use !== UNION)
      return only.plan.look(data, look, undefined, '')
    let count = 0
    for (const branch of left) {
      const verdict = branch.plan.lookAsBranch(data, look)
      if (verdict === ASK) return ASK
      count += verdict
      if (count === enough) break
    }
    return count === 1 ? YES : NO
  }

  /** The branches that are left for a value. */
  #left(data: unknown): readonly SchemaNode[] {
    if (this.#tag === undefined) this.#tag = this.#findTag()
    if (this.#tag === null || !isObject(data)) return this.nodes
    const text = data[this.#tag]
    return typeof text === 'string' ? (this.#byText.get(text) ?? NONE) : this.nodes
  }

  #findTag(): string | null {
    const [first, second] = this.nodes
    const name = first === undefined || second === undefined ? undefined : tagOf(first)?.name
    if (name === undefined) return null
    for (const node of this.nodes) {
      const tag = tagOf(node)
      if (tag?.name !== name || node.context.editsOnFailure) return null
      for (const text of new Set(tag.values)) {
        this.#byText.set(text, [...(this.#byText.get(text) ?? []), node])
      }
    }
    return name
  }
}

const NONE: readonly SchemaNode[] = []

/**
 * The property by whose text a branch of a union says which values are its own. Nothing that is looked at before it may
 * leave a value to a walk: a value with another text is refused.
 */
function tagOf({ plan }: SchemaNode): Tag | undefined {
  const { type, general, groups, referenced, isInPlace } = plan
  if (referenced !== undefined) return tagOf(referenced)
  const [group] = groups
  if (isInPlace || general.length > 0 || groups.length !== 1 || group === undefined) return undefined
  if (type !== undefined && type.only !== group.kind) return undefined
  return group.parts.find(({ onlyRefuses }) => onlyRefuses !== true)?.tag
}
