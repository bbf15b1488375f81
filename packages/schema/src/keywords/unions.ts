import { code, type Code } from '../codegen/code.ts'
import { emitTrial, type Block, type Target } from '../walk/code.ts'
import { applyBranch } from '../walk/evaluated.ts'
import type { Frame, Mode, Rule } from '../walk/walk.ts'
import type { Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import { ASK, PASSED, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'
import { Branches, noteBranches, type Branch } from './branches.ts'

/** Tries branches, each through a function that says whether it matches; true when the union matches. */
type Attempt = (matches: (branch: SchemaNode) => boolean) => boolean

abstract class UnionPart<Params extends object> implements Part, Rule<Params> {
  abstract readonly keyword: string
  readonly node: SchemaNode
  protected readonly branches: Branches

  constructor(node: SchemaNode, branches: readonly Branch[]) {
    this.node = node
    this.branches = new Branches(branches)
  }

  get below(): readonly Branch[] {
    return this.branches.nodes
  }

  abstract message(): string
  abstract fits(data: unknown, look: Look): Verdict
  abstract apply(data: unknown, value: Value, mode: Mode, frame: Frame): Outcome
  abstract emit(target: Target, block: Block): void

  /** Runs an attempt; without the errors of the branches where it succeeds. Unions that remove by branch may try twice. */
  protected attempt(start: number, value: Value, mode: Mode, frame: Frame, run: Attempt): boolean {
    const { errors } = frame
    const { settings, removal } = frame.walk
    const matches = (branch: SchemaNode): boolean => applyBranch(branch, value, mode.trial, frame)
    const isMatch = settings.removesByBranch
      ? removal.attempt((attempt) => {
          errors.length = start
          return run((branch) => attempt(() => matches(branch)))
        })
      : run(matches)
    if (isMatch) errors.length = start
    return isMatch
  }

  /** Writes the trials of the branches, as long as a condition holds. */
  protected emitTrials(target: Target, block: Block, condition: Code, passed: Code): void {
    for (const branch of this.below) {
      block.writer.block(code`if (${condition})`, () => emitTrial(branch, target, block, passed))
    }
  }
}

class AnyOfPart extends UnionPart<object> {
  readonly keyword = 'anyOf'
  /** Ajv tries every branch, and may edit the value in each. */
  readonly #triesAll: boolean

  constructor(node: SchemaNode, branches: readonly SchemaNode[]) {
    super(node, branches)
    this.#triesAll = node.context.isForAjv && node.location.document.dialect === '2020-12'
  }

  message(): string {
    return 'must match a schema in anyOf'
  }

  fits(data: unknown, look: Look): Verdict {
    return this.#triesAll ? ASK : this.branches.any(data, look)
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    const { settings, removal } = frame.walk
    const isMatch = this.attempt(start, value, mode, frame, (matches) =>
      // What any matching branch keeps is kept: then all are tried, and so where it matters what is evaluated.
      this.#matches(
        matches,
        value.evaluated === undefined && (!settings.removesByBranch || removal.treatment === 'refuse'),
      ),
    )
    return isMatch ? PASSED : frame.failUnion(this, {}, value, mode, start)
  }

  #matches(matches: (branch: SchemaNode) => boolean, endsAtFirst: boolean): boolean {
    let isMatch = false
    for (const branch of this.below) {
      if (branch === undefined || !matches(branch)) continue
      isMatch = true
      if (endsAtFirst) break
    }
    return isMatch
  }

  emit(target: Target, block: Block): void {
    const { writer, reject, defer } = block
    if (this.#triesAll) {
      writer.line(defer)
      return
    }
    const matched = writer.unique('matched')
    writer.line(code`var ${matched} = false`)
    this.emitTrials(target, block, code`!${matched}`, code`${matched} = true`)
    writer.line(code`if (!${matched}) ${reject}`)
  }
}

/** The keyword `anyOf`. */
export const anyOf: Keyword = {
  names: ['anyOf'],
  read(node) {
    const found = node.listBelow('anyOf') ?? []
    const below = found.filter((branch) => branch !== undefined)
    if (below.length === found.length) return new AnyOfPart(node, below)
    // With a branch that accepts everything Ajv looks into none, unless it matters what is evaluated.
    return node.context.isCollecting ? noteBranches(below) : undefined
  },
}

interface Params {
  readonly passingSchemas: readonly [number, number] | null
}

class OneOfPart extends UnionPart<Params> {
  readonly keyword = 'oneOf'

  message(): string {
    return 'must match exactly one schema in oneOf'
  }

  fits(data: unknown, look: Look): Verdict {
    return this.branches.one(data, look)
  }

  /** Where unions remove by branch, a value that one branch takes as it is matches that branch alone, whatever others would remove. */
  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    let passing: readonly number[] = []
    const isMatch = this.attempt(start, value, mode, frame, (matches) => {
      passing = this.#firstTwo(matches)
      return passing.length === 1
    })
    if (isMatch) return PASSED
    const [first, second] = passing
    const passingSchemas = first === undefined || second === undefined ? null : ([first, second] as const)
    return frame.failUnion(this, { passingSchemas }, value, mode, start)
  }

  #firstTwo(matches: (branch: SchemaNode) => boolean): readonly number[] {
    const passing: number[] = []
    for (let index = 0; index < this.below.length && passing.length < 2; index++) {
      const branch = this.below[index]
      if (branch === undefined || matches(branch)) passing.push(index)
    }
    return passing
  }

  emit(target: Target, block: Block): void {
    const { writer, reject } = block
    const count = writer.unique('count')
    writer.line(code`var ${count} = 0`)
    this.emitTrials(target, block, code`${count} < 2`, code`${count}++`)
    writer.line(code`if (${count} !== 1) ${reject}`)
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
