import { applyBranch } from '../walk/evaluated.ts'
import type { Frame, Rule } from '../walk/frame.ts'
import type { Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { PASSED, type Outcome, type Verdict } from '../walk/verdict.ts'
import { Branches } from './branches.ts'

interface Params {
  readonly passingSchemas: readonly [number, number] | null
}

class OneOfPart implements Part, Rule<Params> {
  readonly keyword = 'oneOf'
  readonly node: SchemaNode
  readonly below: readonly (SchemaNode | undefined)[]
  readonly #branches: Branches

  constructor(node: SchemaNode, below: readonly (SchemaNode | undefined)[]) {
    this.node = node
    this.below = below
    this.#branches = new Branches(below)
  }

  message(): string {
    return 'must match exactly one schema in oneOf'
  }

  fits(data: unknown, look: Look): Verdict {
    return this.#branches.one(data, look)
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    const [first, second] = frame.walk.settings.removesByBranch
      ? this.#passingByBranch(start, value, mode, frame)
      : this.#passing((branch) => applyBranch(branch, value, mode.trial, frame))
    if (first === undefined || second !== undefined) {
      const passingSchemas = first === undefined || second === undefined ? null : ([first, second] as const)
      return frame.failBehind(this, { passingSchemas }, value, mode)
    }
    frame.errors.length = start
    return PASSED
  }

  /** The first two branches that match. */
  #passing(matches: (branch: SchemaNode) => boolean): readonly number[] {
    const passing: number[] = []
    for (let index = 0; index < this.below.length && passing.length < 2; index++) {
      const branch = this.below[index]
      if (branch === undefined || matches(branch)) passing.push(index)
    }
    return passing
  }

  /** A value that one branch takes as it is matches that branch alone, whatever others would remove. */
  #passingByBranch(start: number, value: Value, mode: Mode, frame: Frame): readonly number[] {
    let passing: readonly number[] = []
    frame.walk.removal.attempt((matches) => {
      frame.errors.length = start
      passing = this.#passing((branch) => matches(() => applyBranch(branch, value, mode.trial, frame)))
      return passing.length === 1
    })
    return passing
  }
}

/** The keyword `oneOf`. */
export const oneOf: Keyword = {
  names: ['oneOf'],
  read(node) {
    const branches = node.listBelow('oneOf')
    return branches && new OneOfPart(node, branches)
  },
}
