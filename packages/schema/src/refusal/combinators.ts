import { applyBranch } from './evaluated.ts'
import { FAILED, PASSED, type Check, type Frame, type Rule } from './frame.ts'
import { SILENT } from './mode.ts'
import type { Applied, SchemaNode } from './node.ts'
import type { CheckFactory } from './plan.ts'
import type { Value } from './value.ts'

/** The nodes of a list of schemas; undefined in place of one that accepts everything. */
function branches(node: SchemaNode, keyword: string): (Applied | undefined)[] | undefined {
  const list = node.schema[keyword]
  return Array.isArray(list) ? list.map((_schema, index) => node.below(keyword, index)) : undefined
}

/** Whether a condition holds. Where unions remove by branch, conditions remove nothing. */
function holds(condition: Applied, value: Value, frame: Frame): boolean {
  const { settings, removal } = frame.walk
  if (!settings.removesByBranch) return applyBranch(condition, value, SILENT, frame)
  return removal.test(() => applyBranch(condition, value, SILENT, frame))
}

/** The keyword `not`. */
export const notCheck: CheckFactory = (node) => {
  if (node.schema['not'] === undefined) return undefined
  const excluded = node.below('not')
  const rule = { keyword: 'not', node } as const
  return (value, mode, frame) => {
    const start = frame.errors.length
    if (excluded === undefined || holds(excluded, value, frame)) return frame.fail(rule, {}, value, mode)
    frame.errors.length = start
    return PASSED
  }
}

/**
 * The keyword `anyOf`. With a branch that accepts everything Ajv looks into none. Where it matters what is evaluated,
 * all branches are tried.
 */
export const anyOfCheck: CheckFactory = (node) => {
  const found = branches(node, 'anyOf')
  if (found === undefined) return undefined
  const tried = found.filter((branch) => branch !== undefined)
  if (tried.length < found.length) return node.unit.isCollecting ? noteBranches(tried) : undefined
  const rule = { keyword: 'anyOf', node } as const
  if (node.unit.settings.removesByBranch) return anyOfByBranch(rule, tried)
  return (value, mode, frame) => {
    const start = frame.errors.length
    let isMatch = false
    for (const branch of tried) {
      if (!applyBranch(branch, value, mode.trial, frame)) continue
      isMatch = true
      if (value.evaluated === undefined) break
    }
    if (!isMatch) return frame.failBehind(rule, {}, value, mode)
    frame.errors.length = start
    return PASSED
  }
}

/** Branches that cannot refuse a value still say what is evaluated. */
function noteBranches(tried: readonly Applied[]): Check {
  return (value, _mode, frame) => {
    if (value.evaluated === undefined) return PASSED
    for (const branch of tried) holds(branch, value, frame)
    return PASSED
  }
}

/** Every branch is tried where properties would be removed: what any matching one keeps is kept. */
function anyOfByBranch(rule: Rule<'anyOf'>, tried: readonly Applied[]): Check {
  return (value, mode, frame) => {
    const start = frame.errors.length
    const { removal } = frame.walk
    const isMatch = removal.attempt((matches) => {
      frame.errors.length = start
      let count = 0
      for (const branch of tried) {
        if (!matches(() => applyBranch(branch, value, mode.trial, frame))) continue
        count += 1
        if (removal.treatment === 'refuse' && value.evaluated === undefined) break
      }
      return count > 0
    })
    if (!isMatch) return frame.failBehind(rule, {}, value, mode)
    frame.errors.length = start
    return PASSED
  }
}

/** The keyword `oneOf`. */
export const oneOfCheck: CheckFactory = (node) => {
  const tried = branches(node, 'oneOf')
  if (tried === undefined) return undefined
  const rule = { keyword: 'oneOf', node } as const
  if (node.unit.settings.removesByBranch) return oneOfByBranch(rule, tried)
  return (value, mode, frame) => {
    const start = frame.errors.length
    let passing: number | null = null
    for (let index = 0; index < tried.length; index++) {
      const branch = tried[index]
      if (branch !== undefined && !applyBranch(branch, value, mode.trial, frame)) continue
      if (passing !== null) return frame.failBehind(rule, { passingSchemas: [passing, index] }, value, mode)
      passing = index
    }
    if (passing === null) return frame.failBehind(rule, { passingSchemas: null }, value, mode)
    frame.errors.length = start
    return PASSED
  }
}

/** A value that one branch takes as it is matches that branch alone, whatever others would remove. */
function oneOfByBranch(rule: Rule<'oneOf'>, tried: readonly (Applied | undefined)[]): Check {
  return (value, mode, frame) => {
    const start = frame.errors.length
    let passing: number[] = []
    const isMatch = frame.walk.removal.attempt((matches) => {
      frame.errors.length = start
      passing = []
      for (let index = 0; index < tried.length && passing.length < 2; index++) {
        const branch = tried[index]
        if (branch === undefined || matches(() => applyBranch(branch, value, mode.trial, frame))) {
          passing.push(index)
        }
      }
      return passing.length === 1
    })
    if (!isMatch) {
      const [first, second] = passing
      const passingSchemas: [number, number] | null =
        first === undefined || second === undefined ? null : [first, second]
      return frame.failBehind(rule, { passingSchemas }, value, mode)
    }
    frame.errors.length = start
    return PASSED
  }
}

/** The keyword `allOf`. */
export const allOfCheck: CheckFactory = (node) => {
  const parts = branches(node, 'allOf')?.filter((part) => part !== undefined)
  if (parts === undefined || parts.length === 0) return undefined
  return (value, mode, frame) => {
    let fits = true
    for (const part of parts) {
      if (part.apply(value, mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

/** The keywords `if`, `then` and `else`. Without a clause that says something Ajv does not look at the condition. */
export const ifCheck: CheckFactory = (node) => {
  if (node.schema['if'] === undefined) return undefined
  const condition = node.below('if')
  const then = node.below('then')
  const otherwise = node.below('else')
  if (then === undefined && otherwise === undefined) {
    return node.unit.isCollecting && condition !== undefined ? noteBranches([condition]) : undefined
  }
  const rule = { keyword: 'if', node } as const
  return (value, mode, frame) => {
    const start = frame.errors.length
    const isMet = condition === undefined || holds(condition, value, frame)
    frame.errors.length = start
    const clause = isMet ? then : otherwise
    if (clause === undefined || clause.apply(value, mode, frame)) return PASSED
    // An error of the clause has ended the function, unless a referenced schema has made it.
    if (frame.hasEnded) return FAILED
    return frame.failBehind(rule, { failingKeyword: isMet ? 'then' : 'else' }, value, mode)
  }
}
