import { code } from '../codegen/code.ts'
import { emitTrial, type Block, type Target } from '../walk/code.ts'
import { applyBranch } from '../walk/evaluated.ts'
import type { Frame, Mode, Rule } from '../walk/walk.ts'
import type { Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import { ASK, PASSED, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'
import { Branches, noteBranches, type Branch } from './branches.ts'

class AnyOfPart implements Part, Rule<object> {
  readonly keyword = 'anyOf'
  readonly node: SchemaNode
  readonly #branches: Branches
  /** Ajv tries every branch, and may edit the value in each. */
  readonly #triesAll: boolean

  constructor(node: SchemaNode, branches: readonly SchemaNode[]) {
    this.node = node
    this.#branches = new Branches(branches)
    this.#triesAll = node.context.isForAjv && node.location.document.dialect === '2020-12'
  }

  get below(): readonly Branch[] {
    return this.#branches.nodes
  }

  message(): string {
    return 'must match a schema in anyOf'
  }

  fits(data: unknown, look: Look): Verdict {
    return this.#triesAll ? ASK : this.#branches.any(data, look)
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    const { settings, removal } = frame.walk
    const matches = (branch: SchemaNode): boolean => applyBranch(branch, value, mode.trial, frame)
    const isMatch = settings.removesByBranch
      ? removal.attempt((attempt) => {
          frame.errors.length = start
          return this.#matches(
            (branch) => attempt(() => matches(branch)),
            value,
            removal.treatment === 'refuse',
          )
        })
      : this.#matches(matches, value, true)
    if (!isMatch) return frame.failUnion(this, {}, value, mode, start)
    frame.errors.length = start
    return PASSED
  }

  /**
   * Where it matters what is evaluated, all branches are tried.
   * @param endsAtFirst - one match is enough; not so where what any matching branch keeps is kept
   */
  #matches(matches: (branch: SchemaNode) => boolean, { evaluated }: Value, endsAtFirst: boolean): boolean {
    let isMatch = false
    for (const branch of this.below) {
      if (branch === undefined || !matches(branch)) continue
      isMatch = true
      if (endsAtFirst && evaluated === undefined) break
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
    for (const branch of this.below) {
      writer.block(code`if (!${matched})`, () => emitTrial(branch, target, block, code`${matched} = true`))
    }
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

class OneOfPart implements Part, Rule<Params> {
  readonly keyword = 'oneOf'
  readonly node: SchemaNode
  readonly #branches: Branches

  constructor(node: SchemaNode, branches: readonly Branch[]) {
    this.node = node
    this.#branches = new Branches(branches)
  }

  get below(): readonly Branch[] {
    return this.#branches.nodes
  }

  message(): string {
    return 'must match exactly one schema in oneOf'
  }

  fits(data: unknown, look: Look): Verdict {
    return this.#branches.one(data, look)
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    const [first, second] = this.#passing(start, value, mode, frame)
    if (first === undefined || second !== undefined) {
      const passingSchemas = first === undefined || second === undefined ? null : ([first, second] as const)
      return frame.failUnion(this, { passingSchemas }, value, mode, start)
    }
    frame.errors.length = start
    return PASSED
  }

  /**
   * The first two branches that match. Where unions remove by branch, a value that one branch takes as it is matches that
   * branch alone, whatever others would remove.
   */
  #passing(start: number, value: Value, mode: Mode, frame: Frame): readonly number[] {
    const { settings, removal } = frame.walk
    const matches = (branch: SchemaNode): boolean => applyBranch(branch, value, mode.trial, frame)
    if (!settings.removesByBranch) return this.#firstTwo(matches)
    let passing: readonly number[] = []
    removal.attempt((attempt) => {
      frame.errors.length = start
      passing = this.#firstTwo((branch) => attempt(() => matches(branch)))
      return passing.length === 1
    })
    return passing
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
    for (const branch of this.below) {
      writer.block(code`if (${count} < 2)`, () => emitTrial(branch, target, block, code`${count}++`))
    }
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
