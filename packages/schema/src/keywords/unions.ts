import { code } from '../codegen/code.ts'
import { acceptsAnything } from '../document/known-keywords.ts'
import { isObject } from '../guards.ts'
import { emitTrial } from '../walk/code.ts'
import { applyBranch } from '../walk/evaluated.ts'
import { ASK, NO, YES, type Look, type Verdict } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import { keyword, type Keyword, type Tag } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { FAILED, PASSED } from '../walk/walk.ts'

/** What differs between `anyOf` and `oneOf`. */
interface Union {
  readonly name: 'anyOf' | 'oneOf'
  /** Where so many branches match, the others do not matter. */
  readonly enough: number
  readonly message: string
  /** The parameters of its error, by the first branches that match. */
  params(matching: readonly number[]): object
  /** Undefined where there is nothing to try. */
  branchesOf(node: SchemaNode): readonly SchemaNode[] | undefined
}

/** The branches of a union. Where one property names the branch by its text, the others need not be looked at. */
class Branches {
  readonly nodes: readonly SchemaNode[]
  /** Ajv tries every branch, and may edit the value in each. */
  readonly triesAll: boolean
  /** Undefined: not yet looked for; null: there is none. */
  #tag: string | null | undefined = undefined
  readonly #byText: Map<unknown, SchemaNode[]> = new Map()

  constructor(nodes: readonly SchemaNode[], triesAll: boolean) {
    this.nodes = nodes
    this.triesAll = triesAll
  }

  /**
   * Whether a value fits one of them: at least one, where that is enough, or else exactly one. The first that does not
   * refuse it decides, or the second.
   */
  look(data: unknown, look: Look, enough: number): Verdict {
    const left = this.#left(data)
    const [only] = left
    // Nothing else can come of the value, so that the order of its keywords does not matter.
    if (only !== undefined && left.length === 1) return only.plan.look(data, look, undefined, '')
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
    return typeof text === 'string' ? (this.#byText.get(text) ?? []) : this.nodes
  }

  #findTag(): string | null {
    const [first] = this.nodes
    const name = first && tagOf(first)?.name
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

/**
 * The property by whose text a branch of a union says which values are its own. Nothing that is looked at before it may
 * leave a value to a walk: a value with another text is refused.
 */
function tagOf({ plan }: SchemaNode): Tag | undefined {
  const { general, groups, referenced } = plan
  if (referenced !== undefined) return tagOf(referenced)
  if (general.length > 0) return undefined
  // Objects come to no other group.
  const group = groups.find(({ kind }) => kind === 'object')
  return group?.parts.find(({ onlyRefuses }) => onlyRefuses !== true)?.tag
}

/**
 * Tries branches in order until so many match, and returns their indices.
 * @param isOne - of the branches that match, what the first one evaluates counts alone
 */
function matchingOf(
  nodes: readonly SchemaNode[],
  most: number,
  value: Value,
  isOne: boolean,
  test: (branch: SchemaNode) => boolean,
): number[] {
  const { evaluated } = value
  const matching: number[] = []
  for (const [index, branch] of nodes.entries()) {
    if (test(branch)) matching.push(index)
    if (matching.length === most) break
    if (isOne && matching.length > 0) value.evaluated = undefined
  }
  value.evaluated = evaluated
  return matching
}

function union({ name, enough, message, params, branchesOf }: Union): Keyword {
  const isOne = name === 'oneOf'
  return keyword({
    names: [name],
    read(node) {
      const { context, location } = node
      const nodes = branchesOf(node)
      const triesAll = !isOne && context.isForAjv && location.document.dialect === '2020-12'
      return nodes && new Branches(nodes, triesAll)
    },
    below: ({ nodes }) => nodes,
    message: () => message,
    fits: ({ read }, data, look) => (read.triesAll ? ASK : read.look(data, look, enough)),
    /** Where unions remove by branch, a value that one branch of `oneOf` takes as it is matches that branch alone, whatever others would remove. */
    apply(part, _data, value, mode, frame) {
      const { errors, walk } = frame
      const { settings, removal } = walk
      const start = errors.length
      const { nodes } = part.read
      let matching: number[] = []
      const matches = (branch: SchemaNode): boolean => applyBranch(branch, value, mode.trial, frame)
      const run = (test: (branch: SchemaNode) => boolean): boolean => {
        errors.length = start
        // What any matching branch of `anyOf` keeps is kept: then all are tried, and so where it matters what is evaluated.
        const isEnough = !settings.removesByBranch || removal.treatment === 'refuse'
        const most = isOne || (value.evaluated === undefined && isEnough) ? enough : nodes.length
        matching = matchingOf(nodes, most, value, isOne, test)
        return isOne ? matching.length === 1 : matching.length > 0
      }
      const isMatch = settings.removesByBranch
        ? removal.attempt((attempt) => run((branch) => attempt(() => matches(branch))))
        : run(matches)
      if (isMatch) {
        errors.length = start
        return PASSED
      }
      const { length } = errors
      frame.failBehind(part, params(matching), value, mode)
      // One list has the error and those of the branches, where it matters which those are.
      if (settings.narrowsUnions && errors.length > length) errors.push(errors.splice(start))
      return FAILED
    },
    emit({ read }, target, block) {
      const { writer, reject, defer } = block
      if (read.triesAll) {
        writer.line(defer)
        return
      }
      const count = writer.unique('count')
      writer.line(code`var ${count} = 0`)
      for (const branch of read.nodes) {
        writer.block(code`if (${count} < ${enough})`, () =>
          emitTrial(branch, target, block, code`${count}++`),
        )
      }
      writer.line(code`if (${count} !== 1) ${reject}`)
    },
  })
}

/** The keywords `anyOf` and `oneOf`. */
export const UNIONS: readonly Keyword[] = [
  union({
    name: 'anyOf',
    enough: 1,
    message: 'must match a schema in anyOf',
    params: () => ({}),
    // With a branch that accepts everything Ajv looks into none, see `notedBranches`.
    branchesOf(node) {
      const branches = node.listBelow('anyOf') ?? []
      return branches.some(({ location }) => acceptsAnything(location.schema)) ? undefined : branches
    },
  }),
  union({
    name: 'oneOf',
    enough: 2,
    message: 'must match exactly one schema in oneOf',
    params: (matching) => ({ passingSchemas: matching.length < 2 ? null : matching }),
    branchesOf: (node) => node.listBelow('oneOf'),
  }),
]
