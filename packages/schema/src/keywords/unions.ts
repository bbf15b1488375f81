import { code } from '../codegen/code.ts'
import { acceptsAnything } from '../document/survey.ts'
import { emitTrial, type Block, type Target } from '../walk/code.ts'
import { applyBranch } from '../walk/evaluated.ts'
import type { Frame, Mode, Rule } from '../walk/walk.ts'
import type { Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import { ASK, PASSED, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'
import { Branches, noteBranches } from './branches.ts'

/** What differs between `anyOf` and `oneOf`. */
interface Union {
  readonly keyword: 'anyOf' | 'oneOf'
  /** Where so many branches match, the others do not matter. */
  readonly enough: number
  readonly message: string
  /** The parameters of its error, by the first branches that match. */
  params(matching: readonly number[]): object
}

const ANY_OF: Union = {
  keyword: 'anyOf',
  enough: 1,
  message: 'must match a schema in anyOf',
  params: () => ({}),
}

const ONE_OF: Union = {
  keyword: 'oneOf',
  enough: 2,
  message: 'must match exactly one schema in oneOf',
  params: (matching) => ({ passingSchemas: matching.length < 2 ? null : matching }),
}

class UnionPart implements Part, Rule<object> {
  readonly node: SchemaNode
  readonly below: readonly SchemaNode[]
  readonly #union: Union
  readonly #branches: Branches
  /** Ajv tries every branch, and may edit the value in each. */
  readonly #triesAll: boolean

  constructor(node: SchemaNode, union: Union, branches: readonly SchemaNode[]) {
    const { context, location } = node
    this.node = node
    this.below = branches
    this.#union = union
    this.#branches = new Branches(branches)
    this.#triesAll = union === ANY_OF && context.isForAjv && location.document.dialect === '2020-12'
  }

  get keyword(): string {
    return this.#union.keyword
  }

  message(): string {
    return this.#union.message
  }

  fits(data: unknown, look: Look): Verdict {
    return this.#triesAll ? ASK : this.#branches.look(data, look, this.#union.enough)
  }

  /** Where unions remove by branch, a value that one branch of `oneOf` takes as it is matches that branch alone, whatever others would remove. */
  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const { errors, walk } = frame
    const { settings, removal } = walk
    const start = errors.length
    const isOne = this.#union === ONE_OF
    let matching: readonly number[] = []
    const matches = (branch: SchemaNode): boolean => applyBranch(branch, value, mode.trial, frame)
    const run = (test: (branch: SchemaNode) => boolean): boolean => {
      errors.length = start
      // What any matching branch of `anyOf` keeps is kept: then all are tried, and so where it matters what is evaluated.
      const isEnough =
        isOne ||
        (value.evaluated === undefined && (!settings.removesByBranch || removal.treatment === 'refuse'))
      matching = this.#matching(test, isEnough ? this.#union.enough : Infinity)
      return isOne ? matching.length === 1 : matching.length > 0
    }
    const isMatch = settings.removesByBranch
      ? removal.attempt((attempt) => run((branch) => attempt(() => matches(branch))))
      : run(matches)
    if (!isMatch) return frame.failUnion(this, this.#union.params(matching), value, mode, start)
    errors.length = start
    return PASSED
  }

  /** The first branches that match. */
  #matching(matches: (branch: SchemaNode) => boolean, enough: number): readonly number[] {
    const matching: number[] = []
    for (let index = 0; index < this.below.length && matching.length < enough; index++) {
      const branch = this.below[index]
      if (branch !== undefined && matches(branch)) matching.push(index)
    }
    return matching
  }

  emit(target: Target, block: Block): void {
    const { writer, reject, defer } = block
    if (this.#triesAll) {
      writer.line(defer)
      return
    }
    const count = writer.unique('count')
    writer.line(code`var ${count} = 0`)
    for (const branch of this.below) {
      writer.block(code`if (${count} < ${this.#union.enough})`, () =>
        emitTrial(branch, target, block, code`${count}++`),
      )
    }
    writer.line(code`if (${count} !== 1) ${reject}`)
  }
}

/** The keyword `anyOf`. */
export const anyOf: Keyword = {
  names: ['anyOf'],
  read(node) {
    const branches = node.listBelow('anyOf') ?? []
    const below = branches.filter(({ location }) => !acceptsAnything(location.schema))
    if (below.length === branches.length) return new UnionPart(node, ANY_OF, below)
    // With a branch that accepts everything Ajv looks into none, unless it matters what is evaluated.
    return node.context.isCollecting ? noteBranches(below) : undefined
  },
}

/** The keyword `oneOf`. */
export const oneOf: Keyword = {
  names: ['oneOf'],
  read(node) {
    const branches = node.listBelow('oneOf')
    return branches && new UnionPart(node, ONE_OF, branches)
  },
}
