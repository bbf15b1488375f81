import { applyBranch } from '../walk/evaluated.ts'
import type { Frame, Rule } from '../walk/frame.ts'
import type { Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import { Branches, noteBranches } from './branches.ts'

class AnyOfPart implements Part, Rule<object> {
  readonly keyword = 'anyOf'
  readonly node: SchemaNode
  readonly below: readonly SchemaNode[]
  readonly #branches: Branches
  /** Ajv tries every branch, and may edit the value in each. */
  readonly #triesAll: boolean

  constructor(node: SchemaNode, below: readonly SchemaNode[]) {
    this.node = node
    this.below = below
    this.#branches = new Branches(below)
    this.#triesAll = node.context.isForAjv && node.location.document.dialect === '2020-12'
  }

  message(): string {
    return 'must match a schema in anyOf'
  }

  fits(data: unknown, look: Look): Verdict {
    return this.#triesAll ? ASK : this.#branches.any(data, look)
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    const isMatch = frame.walk.settings.removesByBranch
      ? this.#matchesByBranch(start, value, mode, frame)
      : this.#matches(value, mode, frame)
    if (!isMatch) return frame.failBehind(this, {}, value, mode)
    frame.errors.length = start
    return PASSED
  }

  /** Where it matters what is evaluated, all branches are tried. */
  #matches(value: Value, mode: Mode, frame: Frame): boolean {
    let isMatch = false
    for (const branch of this.below) {
      if (!applyBranch(branch, value, mode.trial, frame)) continue
      isMatch = true
      if (value.evaluated === undefined) break
    }
    return isMatch
  }

  /** Every branch is tried where properties would be removed: what any matching one keeps is kept. */
  #matchesByBranch(start: number, value: Value, mode: Mode, frame: Frame): boolean {
    const { removal } = frame.walk
    return removal.attempt((matches) => {
      frame.errors.length = start
      let count = 0
      for (const branch of this.below) {
        if (!matches(() => applyBranch(branch, value, mode.trial, frame))) continue
        count += 1
        if (removal.treatment === 'refuse' && value.evaluated === undefined) break
      }
      return count > 0
    })
  }
}

/** With a branch that accepts everything Ajv looks into none, unless it matters what is evaluated. */
class OpenPart implements Part {
  readonly below: readonly SchemaNode[]

  constructor(below: readonly SchemaNode[]) {
    this.below = below
  }

  fits(): Verdict {
    return YES
  }

  apply(_data: unknown, value: Value, _mode: Mode, frame: Frame): Outcome {
    noteBranches(this.below, value, frame)
    return PASSED
  }
}

/** The keyword `anyOf`. */
export const anyOf: Keyword = {
  names: ['anyOf'],
  read(node) {
    const found = node.listBelow('anyOf') ?? []
    const below = found.filter((branch) => branch !== undefined)
    if (below.length === found.length) return new AnyOfPart(node, below)
    return node.context.isCollecting ? new OpenPart(below) : undefined
  },
}
